export interface EventTable {
  org_id: string
  seq: number
  type: string
  at: string
  number: string | null
  /** The conversation it is about. */
  conversation_id: string | null
  /** JSON array of user ids, or of who has a role; null: everybody who may read chats. */
  audience: string | null
  data: string
  /** The kind of who did it; null: before this was kept. */
  actor: string | null
  /** Their name at that time; null: a part of this product, or before this was kept. */
  actor_name: string | null
}

export interface OrgCounterTable {
  org_id: string
  event_seq: number
}

export interface LiveTables {
  event: EventTable
  org_counter: OrgCounterTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends LiveTables {}
}

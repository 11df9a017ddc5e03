interface EventTable {
  org_id: string
  seq: number
  type: string
  at: string
  number: string | null
  conversation_id: string | null
  /** JSON array of user ids or roles. Null: everybody who may read chats. */
  audience: string | null
  data: string
  /** The kind of actor. Null: stored before this column existed. */
  actor: string | null
  /** The actor's name at that time. Null: a part of this product, or stored before this column existed. */
  actor_name: string | null
}

interface OrgCounterTable {
  org_id: string
  event_seq: number
}

interface LiveTables {
  event: EventTable
  org_counter: OrgCounterTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends LiveTables {}
}

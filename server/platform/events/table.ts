/** What happened, for listeners after the commit; numbered per organization without holes. Kept only where one listens. */
export interface DomainEventTable {
  org_id: string
  seq: number
  type: string
  at: string
  /** JSON of an `EventActor`. */
  by: string
  data: string
}

/** A listener that has been known since then: it hears what happened later. */
export interface EventListenerTable {
  name: string
  created_at: string
}

/** How far a listener has come in an organization; no row: at the beginning. */
export interface EventCursorTable {
  listener: string
  org_id: string
  /** The last event it is through with. */
  seq: number
  /** Failures at the event behind `seq`. */
  attempts: number
  /** Null: nothing keeps it waiting. */
  due_at: string | null
  error: string | null
}

/** An event that a listener never got through. */
export interface ParkedEventTable {
  listener: string
  org_id: string
  seq: number
  reason: string
  at: string
}

export interface EventTables {
  domain_event: DomainEventTable
  event_listener: EventListenerTable
  event_cursor: EventCursorTable
  parked_event: ParkedEventTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends EventTables {}
}

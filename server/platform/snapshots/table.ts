export interface SnapshotTable {
  id: string
  began_at: string
  /** Null: it is under way, or its process died. */
  ended_at: string | null
  /** Its name; null: none was made, or it went for newer ones. */
  file: string | null
  bytes: number | null
  /** Of all its tables, as they were counted when it was opened again. */
  row_count: number | null
  /** Why it cannot be used; null: it can. */
  failure: string | null
  /** When somebody was told of the failure. */
  said_at: string | null
}

/** The installation's own; no organization has any part in it. */
export interface SnapshotTables {
  snapshot: SnapshotTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends SnapshotTables {}
}

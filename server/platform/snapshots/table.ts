interface SnapshotTable {
  id: string
  began_at: string
  /** Null: it is running, or its process died. */
  ended_at: string | null
  /** Name of the file; null: none was made, or it was deleted for newer ones. */
  file: string | null
  bytes: number | null
  /** Rows of all tables, counted when the backup was opened again. */
  row_count: number | null
  /** Why it is unusable; null: it is usable. */
  failure: string | null
  /** The time at which the failure was mailed. */
  said_at: string | null
}

/** Belongs to the installation, not to an organization. */
interface SnapshotTables {
  snapshot: SnapshotTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends SnapshotTables {}
}

import type { Database as SqliteDatabase } from 'better-sqlite3'

/** Pages of the log that are not yet checkpointed. Reads only, takes no lock. */
export function waitingPages(db: SqliteDatabase): number {
  const [row] = db.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
  return row ? Math.max(0, row.log - row.checkpointed) : 0
}

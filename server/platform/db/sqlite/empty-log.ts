import type { Database as SqliteDatabase } from 'better-sqlite3'

/** Checkpoints and truncates the log; false while somebody reads from it or writes. */
export function emptySqliteLog(write: SqliteDatabase): boolean {
  if (write.inTransaction) return false
  const [answer] = write.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  return answer?.busy === 0
}

import type { Database as SqliteDatabase } from 'better-sqlite3'

/** The oldest SQLite without the WAL-reset corruption. @see sqlite.org/releaselog/3_51_3.html */
const oldestSafeSqlite = [3, 51, 3] as const

export const refuseOldSqlite = (db: SqliteDatabase) => {
  const version = String(db.prepare('select sqlite_version()').pluck().get())
  const parts = version.split('.').map(Number)
  for (const [i, floor] of oldestSafeSqlite.entries()) {
    if ((parts[i] ?? 0) > floor) return
    if ((parts[i] ?? 0) < floor)
      throw new Error(`SQLite ${version} can corrupt its log; ${oldestSafeSqlite.join('.')} or newer is needed`)
  }
}

/**
 * WAL mode. With FULL a commit is on the disk when it returns; NORMAL would lose confirmed rows in a power failure,
 * unless `createLogOnDisk` forces them before the answer.
 */
export const setPragmas = (db: SqliteDatabase, { synchronous = 'FULL' }: { synchronous?: 'FULL' | 'NORMAL' } = {}) => {
  db.pragma('journal_mode = WAL')
  db.pragma(`synchronous = ${synchronous}`)
  db.pragma('foreign_keys = ON')
  db.pragma('busy_timeout = 5000')
  db.pragma('temp_store = MEMORY')
  db.pragma('cache_size = -32000')
  // Checkpoints every 16 MB of log instead of 4, so that pages that change often are written once.
  db.pragma('wal_autocheckpoint = 4000')
  // Overwrites deleted data, so that erased people remain in no page of the file; otherwise the whole file would have
  // to be rewritten, which blocks everybody.
  db.pragma('secure_delete = ON')
}

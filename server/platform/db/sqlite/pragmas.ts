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
 * WAL. A commit is on the disk when it is through (FULL), for NORMAL would lose acknowledged rows on a power cut, unless somebody
 * else sees to that before anybody is answered. @see createLogOnDisk
 */
export const setPragmas = (db: SqliteDatabase, { synchronous = 'FULL' }: { synchronous?: 'FULL' | 'NORMAL' } = {}) => {
  db.pragma('journal_mode = WAL')
  db.pragma(`synchronous = ${synchronous}`)
  db.pragma('foreign_keys = ON')
  db.pragma('busy_timeout = 5000')
  db.pragma('temp_store = MEMORY')
  db.pragma('cache_size = -32000')
  // Every 16 MB of log instead of 4: what changes often is brought into the database once and not each time.
  db.pragma('wal_autocheckpoint = 4000')
  // What is deleted or overwritten leaves no bytes behind: whoever is erased is in no page of the file, and no rewriting
  // of the whole file, which would hold everybody for its time, has to see to that.
  db.pragma('secure_delete = ON')
}

import type { Databases } from './db.ts'
import { engineOf } from './engine-of.ts'
import { emptySqliteLog } from './sqlite/empty-log.ts'
import { runInThread } from './sqlite/thread.ts'

/**
 * Truncates SQLite's log, which may still contain overwritten data. False: somebody is reading from it, try again. On
 * PostgreSQL autovacuum and the reuse of its log do this.
 */
export const emptyLog = async (databases: Databases): Promise<boolean> =>
  engineOf(databases.read) !== 'sqlite' ||
  (runInThread(databases, { what: 'emptyLog' }) ?? emptySqliteLog(databases.raw.write))

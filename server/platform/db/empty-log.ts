import type { Databases } from './db.ts'
import { engineOf } from './engine-of.ts'
import { workBeside } from './sqlite/beside.ts'
import { emptySqliteLog } from './sqlite/empty-log.ts'

/**
 * Takes from the files what was overwritten and still stands in the log beside them. False: somebody reads from it, ask
 * again. PostgreSQL clears away by itself, when its autovacuum comes by and its log goes round.
 */
export const emptyLog = async (databases: Databases): Promise<boolean> =>
  engineOf(databases.read) !== 'sqlite' ||
  (workBeside(databases, { what: 'emptyLog' }) ?? emptySqliteLog(databases.raw.write))

import { findRuleBrokenInPostgres, isPostgresTrouble } from './postgres/faults.ts'
import { findRuleBrokenInSqlite, isSqliteTrouble } from './sqlite/faults.ts'

/**
 * The name of the database's own rule that a write broke, as its trigger says it: `LAST_OWNER`. Undefined: none did.
 * How an engine tells is known below this folder only.
 */
export const findBrokenRule = (error: unknown): string | undefined =>
  findRuleBrokenInSqlite(error) ?? findRuleBrokenInPostgres(error)

/**
 * The disk, a lock, the server or the way to it is at fault, not the statement: the same again later is right, and counts
 * against nobody.
 */
export const isDatabaseTrouble = (error: unknown): boolean => isSqliteTrouble(error) || isPostgresTrouble(error)

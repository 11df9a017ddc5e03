import { findRuleBrokenInPostgres, isPostgresTrouble } from './postgres/faults.ts'
import { findRuleBrokenInSqlite, isSqliteTrouble } from './sqlite/faults.ts'

/** The name of a database rule that a write broke, as its trigger raises it (`LAST_OWNER`). Undefined: none. */
export const findBrokenRule = (error: unknown): string | undefined =>
  findRuleBrokenInSqlite(error) ?? findRuleBrokenInPostgres(error)

/**
 * Disk, lock, server or connection failed, not the statement: the same statement may be retried, and counts as nobody's
 * fault.
 */
export const isDatabaseTrouble = (error: unknown): boolean => isSqliteTrouble(error) || isPostgresTrouble(error)

import { sql } from 'kysely'

/** Conditions exactly as in the indexes, with literal values, because a partial index does not match parameters. */
export const isKeyed = (table: string): string => `${table}.order_key is not null`
/** The job holds its place in its line. */
export const inLine = (table: string): string => `${table}.state in ('waiting', 'running', 'retrying')`
export const isReady = (table: string): string => `${table}.state = 'waiting' and ${table}.blocked = 0`
export const isUnfinished = (table: string): string =>
  `${table}.state in ('scheduled', 'waiting', 'running', 'retrying', 'parked')`
/**
 * The owner is a live process. One that others have given up must begin nothing, because they would release it while it
 * runs.
 */
export const isAtWork = (owner: string) => sql<boolean>`exists (select 1 from job_worker where id = ${owner})`

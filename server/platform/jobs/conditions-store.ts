import { sql } from 'kysely'

/** Conditions as the indexes have them: written with their values, or no engine would take the index. */
export const isKeyed = (table: string): string => `${table}.order_key is not null`
/** Holds its place among those of its order key. */
export const inLine = (table: string): string => `${table}.state in ('waiting', 'running', 'retrying')`
export const isReady = (table: string): string => `${table}.state = 'waiting' and ${table}.blocked = 0`
export const isUnfinished = (table: string): string =>
  `${table}.state in ('scheduled', 'waiting', 'running', 'retrying', 'parked')`
/** A process that others have given up begins nothing: they would give it back while it runs. */
export const isAtWork = (owner: string) => sql<boolean>`exists (select 1 from job_worker where id = ${owner})`

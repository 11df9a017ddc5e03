import { PostgresAdapter } from 'kysely'
import type { Db } from './database.ts'

export type EngineName = 'sqlite' | 'postgres'

/** Which engine a connection or transaction speaks to; for what this folder tells apart, and nobody else. */
export const engineOf = (db: Db): EngineName =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

import { PostgresAdapter } from 'kysely'
import type { Db } from './database.ts'

type EngineName = 'sqlite' | 'postgres'

/** The engine of a connection or transaction. Only for this folder, which hides the differences. */
export const engineOf = (db: Db): EngineName =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

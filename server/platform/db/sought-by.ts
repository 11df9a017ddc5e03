import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { engineOf } from './engine-of.ts'
import { postgresSoughtBy } from './postgres/sought-by.ts'
import { sqliteSoughtBy } from './sqlite/sought-by.ts'

/**
 * Forces an index for a table whose statistics may be stale, for example because it is sometimes empty when analyzed.
 * The query's condition must match the index.
 */
export const soughtBy = (db: Db, table: string, index: string): RawBuilder<unknown> =>
  ({ sqlite: sqliteSoughtBy, postgres: postgresSoughtBy })[engineOf(db)](table, index)

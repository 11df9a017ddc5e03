import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { engineOf } from './engine-of.ts'
import { postgresSoughtBy } from './postgres/sought-by.ts'
import { sqliteSoughtBy } from './sqlite/sought-by.ts'

/**
 * A table whose rows are sought by this index, whatever the engine believes of how many there are: for a table that is nearly
 * empty now and then, such as when its rows are counted. What is asked has to be what the index is about.
 */
export const soughtBy = (db: Db, table: string, index: string): RawBuilder<unknown> =>
  ({ sqlite: sqliteSoughtBy, postgres: postgresSoughtBy })[engineOf(db)](table, index)

import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { engineOf } from './engine-of.ts'
import { postgresRowAddress } from './postgres/row-address.ts'
import { sqliteRowAddress } from './sqlite/row-address.ts'

/** The physical address of a row, which every table has whatever its key. Valid only within a statement. */
export const rowAddress = (db: Db): RawBuilder<unknown> =>
  ({ sqlite: sqliteRowAddress, postgres: postgresRowAddress })[engineOf(db)]

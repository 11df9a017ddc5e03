import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { engineOf } from './engine-of.ts'
import { postgresRowAddress } from './postgres/row-address.ts'
import { sqliteRowAddress } from './sqlite/row-address.ts'

/** Where a row lies: what every table has, whatever its key is. It holds within a statement and is nothing to keep. */
export const rowAddress = (db: Db): RawBuilder<unknown> =>
  ({ sqlite: sqliteRowAddress, postgres: postgresRowAddress })[engineOf(db)]

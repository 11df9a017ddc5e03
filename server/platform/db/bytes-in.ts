import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { engineOf } from './engine-of.ts'
import { postgresBytesIn } from './postgres/bytes-in-store.ts'
import { sqliteBytesIn } from './sqlite/bytes-in-store.ts'

export const bytesIn = (db: Db, column: string, bytes: Buffer): RawBuilder<boolean> =>
  ({ sqlite: sqliteBytesIn, postgres: postgresBytesIn })[engineOf(db)](column, bytes)

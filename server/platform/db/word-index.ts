import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { engineOf } from './engine-of.ts'
import {
  postgresContactsUnder,
  postgresHasPart,
  postgresNumberRows,
  postgresWordIndex,
} from './postgres/word-index-store.ts'
import { sqliteContactsUnder, sqliteHasPart, sqliteNumberRows, sqliteWordIndex } from './sqlite/word-index-store.ts'
import type { SoughtTerms, WordIndex } from './word-index-shape.ts'

export const wordIndexOf = (db: Db): WordIndex =>
  ({ sqlite: sqliteWordIndex, postgres: postgresWordIndex })[engineOf(db)]

/** Numbers, given as JSON, as rows with a column `value`: one statement text for any number of them. */
export const listedRows = (db: Db, listed: string): RawBuilder<unknown> =>
  ({ sqlite: sqliteNumberRows, postgres: postgresNumberRows })[engineOf(db)](listed)

/** An array of numbers as rows with a column `value`. @see listedRows */
export const numberRows = (db: Db, values: readonly number[]): RawBuilder<unknown> =>
  listedRows(db, JSON.stringify(values))

/** Contacts that match these terms, as rows with a column `seq`, produced lazily. */
export const contactsUnder = (db: Db, sought: SoughtTerms): RawBuilder<unknown> =>
  ({ sqlite: sqliteContactsUnder, postgres: postgresContactsUnder })[engineOf(db)](sought)

/** SQL. The text matches literally, without wildcards. */
export const hasPart = (db: Db, column: string, text: string): RawBuilder<boolean> =>
  ({ sqlite: sqliteHasPart, postgres: postgresHasPart })[engineOf(db)](column, text)

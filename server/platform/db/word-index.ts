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

/** The engine's own index of words. */
export const wordIndexOf = (db: Db): WordIndex =>
  ({ sqlite: sqliteWordIndex, postgres: postgresWordIndex })[engineOf(db)]

/** Numbers, listed as JSON, as rows with the column `value`, to join with: one text of a statement, however many they are. */
export const listedRows = (db: Db, listed: string): RawBuilder<unknown> =>
  ({ sqlite: sqliteNumberRows, postgres: postgresNumberRows })[engineOf(db)](listed)

/** The same of a list. */
export const numberRows = (db: Db, values: readonly number[]): RawBuilder<unknown> =>
  listedRows(db, JSON.stringify(values))

/** Contacts under these terms as rows with the column `seq`, one after the other as they are asked for. */
export const contactsUnder = (db: Db, sought: SoughtTerms): RawBuilder<unknown> =>
  ({ sqlite: sqliteContactsUnder, postgres: postgresContactsUnder })[engineOf(db)](sought)

/** Whether a text has this in it, letter by letter. */
export const hasPart = (db: Db, column: string, text: string): RawBuilder<boolean> =>
  ({ sqlite: sqliteHasPart, postgres: postgresHasPart })[engineOf(db)](column, text)

import type { RawBuilder } from 'kysely'
import type { Db } from './db.ts'
import { engineOf } from './engine-of.ts'
import {
  postgresContactsUnder,
  postgresHasPart,
  postgresNumberRows,
  postgresWordIndex,
} from './postgres/word-index-store.ts'
import { sqliteContactsUnder, sqliteHasPart, sqliteNumberRows, sqliteWordIndex } from './sqlite/word-index-store.ts'

export interface SoughtTerm {
  readonly text: string
  readonly isPrefix: boolean
}

export interface WordIndex {
  /**
   * Puts terms under numbers, at least one each; none of the numbers may be there already. A term is made of letters,
   * digits and what is beyond ASCII.
   */
  add(trx: Db, rows: readonly { readonly seq: number; readonly terms: readonly string[] }[]): Promise<void>
  /** Takes numbers out with their terms; one that is not there is none. */
  remove(trx: Db, seqs: readonly number[]): Promise<void>
  /** Does so many pages of the work that adding left behind; answers whether there may be more. */
  merge(trx: Db, pages: number): Promise<boolean>
  /** The same of the index of contacts. */
  mergeContacts(trx: Db, pages: number): Promise<boolean>
  /** Numbers below `end` that have all terms of one of the lists, the largest `most` of them first. */
  find(
    db: Db,
    anyOf: readonly (readonly SoughtTerm[])[],
    range: { readonly end: number; readonly most: number },
  ): Promise<number[]>
}

/** The engine's own index of words. */
export const wordIndexOf = (db: Db): WordIndex =>
  ({ sqlite: sqliteWordIndex, postgres: postgresWordIndex })[engineOf(db)]

/** Numbers, listed as JSON, as rows with the column `value`, to join with: one text of a statement, however many they are. */
export const listedRows = (db: Db, listed: string): RawBuilder<unknown> =>
  ({ sqlite: sqliteNumberRows, postgres: postgresNumberRows })[engineOf(db)](listed)

/** The same of a list. */
export const numberRows = (db: Db, values: readonly number[]): RawBuilder<unknown> =>
  listedRows(db, JSON.stringify(values))

/** Terms a contact must have: of each list one of its lists, of that all terms. */
export type SoughtTerms = readonly (readonly (readonly string[])[])[]

/** Contacts under these terms as rows with the column `seq`, one after the other as they are asked for. */
export const contactsUnder = (db: Db, sought: SoughtTerms): RawBuilder<unknown> =>
  ({ sqlite: sqliteContactsUnder, postgres: postgresContactsUnder })[engineOf(db)](sought)

/** Whether a text has this in it, letter by letter. */
export const hasPart = (db: Db, column: string, text: string): RawBuilder<boolean> =>
  ({ sqlite: sqliteHasPart, postgres: postgresHasPart })[engineOf(db)](column, text)

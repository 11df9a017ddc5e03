import type { Db } from './database.ts'

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

/** Terms a contact must have: of each list one of its lists, of that all terms. */
export type SoughtTerms = readonly (readonly (readonly string[])[])[]

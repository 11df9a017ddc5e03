import type { Db } from './database.ts'

interface SoughtTerm {
  readonly text: string
  readonly isPrefix: boolean
}

export interface WordIndex {
  /**
   * Adds terms to numbers, at least one each; the numbers must be new. A term has letters, digits and non-ASCII
   * characters.
   */
  add(trx: Db, rows: readonly { readonly seq: number; readonly terms: readonly string[] }[]): Promise<void>
  /** Removes numbers with their terms; missing ones are ignored. */
  remove(trx: Db, seqs: readonly number[]): Promise<void>
  /** Does up to this many pages of deferred merging; returns whether there may be more. */
  merge(trx: Db, pages: number): Promise<boolean>
  /** Does up to this many pages of deferred merging of the contact index; returns whether there may be more. */
  mergeContacts(trx: Db, pages: number): Promise<boolean>
  /** Numbers below `end` that have all terms of one of the lists, the largest `most` first. */
  find(
    db: Db,
    anyOf: readonly (readonly SoughtTerm[])[],
    range: { readonly end: number; readonly most: number },
  ): Promise<number[]>
}

/** AND over groups; each group is an OR over alternatives; an alternative needs all of its terms. */
export type SoughtTerms = readonly (readonly (readonly string[])[])[]

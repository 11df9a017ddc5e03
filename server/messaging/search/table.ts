import type { Generated } from 'kysely'

interface SearchTables {
  /**
   * `message`: messages up to `seq` are indexed. `emoji`: messages up to `seq` still need their emojis indexed; no row:
   * none does.
   */
  search_place: { name: 'message' | 'emoji'; seq: number }
  /** The organization's key in terms. */
  search_org: { org_key: Generated<number>; org_id: string }
  /** The Bloom filter of a block. `part` -1: it is being built. @see createOutline */
  search_outline: { part: number; stretch: number; bits: Buffer }
  /** Messages that changed after they were indexed. */
  search_pending: { seq: number }
  /**
   * The words and numbers a contact is found by, with its number in the engine's index of contact terms. @see
   * contactTermsOf
   */
  contact_words: {
    contact_id: string
    seq: number
    org_id: string
    words: string
    numbers: string
    terms: string
  }
}

declare module '#server/platform/db/database.ts' {
  interface Database extends SearchTables {}
}

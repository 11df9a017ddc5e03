import type { Generated } from 'kysely'

export interface SearchTables {
  /**
   * How far the messages have been read into the index: up to and including `seq`. `emoji`: from where on those before are
   * still to be looked through for emojis; none: they were.
   */
  search_place: { name: 'message' | 'emoji'; seq: number }
  /** What terms call an organization. */
  search_org: { org_key: Generated<number>; org_id: string }
  /** What was said in a stretch, as bits; `part` -1: somebody is making it. @see createOutline */
  search_outline: { part: number; stretch: number; bits: Buffer }
  /** Messages behind the place that changed since they were read in. */
  search_pending: { seq: number }
  /**
   * By what a contact is told apart, and the terms the engine's index of contacts has it under, by its number there.
   * @see contactTermsOf
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

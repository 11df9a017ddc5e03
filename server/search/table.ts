import type { Generated } from 'kysely'

export interface SearchTables {
  /**
   * How far the messages have been read into the index: up to and including `seq`. `emoji`: from where on those before are
   * still to be looked through for emojis; none: they were.
   */
  search_place: { name: 'message' | 'emoji'; seq: number }
  /** What terms call an organization. */
  search_org: { org_key: Generated<number>; org_id: string }
  /** Messages behind the place that changed since they were read in. */
  search_pending: { seq: number }
  /** Words of a contact's names, and the ends of its numbers. @see contactTermsOf */
  contact_term: { contact_id: string; term: string; org_id: string }
}

import type { OrgDb } from '../events/writes.ts'
import { deleteTerms, insertTerms } from './contact-index-store.ts'
import { contactTermsOf } from './contact-terms.ts'

export interface NamedContact {
  readonly contactId: string
  readonly isNew: boolean
  /** Its names and numbers. */
  readonly names: string
}

/** From this commit on the contacts are found under these names and numbers, and under no others. */
export async function saveContactTerms(db: OrgDb, orgId: string, contacts: readonly NamedContact[]): Promise<void> {
  const known = contacts.filter(({ isNew }) => !isNew)
  await deleteTerms(db, known, { orgId })
  const rows = contacts.flatMap(({ contactId, names }) => contactTermsOf(names).map(term => ({ contactId, term })))
  await insertTerms(db, rows, { orgId })
}

import type { OrgDb } from '#server/platform/events/write.ts'
import { deleteWords, findIndexNumbers, insertWords, lastNumber } from './contact-index-store.ts'
import { indexedAs } from './contact-terms.ts'
import { orgKeys } from './index-store.ts'

interface NamedContact {
  readonly contactId: string
  readonly isNew: boolean
  /** All names and numbers of the contact, as one text. */
  readonly names: string
}

/** Replaces what these contacts are found by. Each keeps its number. */
export async function saveContactTerms(db: OrgDb, orgId: string, contacts: readonly NamedContact[]): Promise<void> {
  if (!contacts.length) return
  const known = contacts.filter(({ isNew }) => !isNew)
  const numbers = await findIndexNumbers(
    db,
    orgId,
    known.map(({ contactId }) => contactId),
  )
  // Before deletion, so that the contact with the last number keeps it.
  let seq = await lastNumber(db)
  await deleteWords(db, known, { orgId })
  const orgKey = (await orgKeys(db, [orgId])).get(orgId) as number
  const rows = contacts.map(({ contactId, names }) => {
    const own = numbers.get(contactId)
    if (own === undefined) seq += 1
    return { contactId, seq: own ?? seq, ...indexedAs(names, orgKey) }
  })
  await insertWords(db, rows, { orgId })
}

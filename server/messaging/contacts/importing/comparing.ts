import { readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { findContacts } from '#server/messaging/directory/contact-store.ts'
import { findValues } from '#server/messaging/directory/field-store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ImportInput } from '#shared/contacts/imports.ts'
import { fieldTarget } from '#shared/contacts/imports.ts'
import { fold } from '#shared/kernel/fold.ts'
import { maxTagsOfContact } from '#shared/tags/api.ts'
import { isRefused, type Refused, type Wanted } from './read-rows.ts'
import { findNotes, findPlaces } from './store.ts'

/** The change of a row to a contact. */
export interface Change {
  readonly wanted: Wanted
  readonly outcome: 'created' | 'updated' | 'unchanged'
  /** The contact of a known number. */
  readonly contactId?: string
  /** False: the contact is in no list yet. */
  readonly hasConversation: boolean
  readonly name?: string
  readonly note?: string
  /** Labels of tags the contact does not have. */
  readonly tags: readonly string[]
  readonly fields: Wanted['fields']
  /** Targets whose value changes. */
  readonly changes: readonly string[]
}

interface Known {
  readonly id: string
  readonly name: string | null
}

/** Contacts of earlier rows, with the row: a contact with two numbers may occur twice. */
export type SeenContacts = Map<string, number>

/** Compares rows with the stored contacts, in order. */
export async function compareRows(
  db: Db,
  orgId: string,
  rows: readonly (Wanted | Refused)[],
  {
    existing,
    kind,
    seen,
  }: { existing: NonNullable<ImportInput['existing']>; kind: 'cloud' | 'sandbox'; seen: SeenContacts },
): Promise<(Change | Refused)[]> {
  const keys = rows.flatMap(one => (isRefused(one) ? [] : [one.key]))
  const known = new Map<string, Known>()
  if (keys.length)
    for (const row of await findContacts.byKey(db, keys, { orgId, kind: 'phone' }))
      if (row.kind === 'phone' && row.match_key !== null) known.set(row.match_key, row)
  const ids = [...new Set(keys.flatMap(key => known.get(key)?.id ?? []))]
  const notes = new Map((await findNotes(db, ids, { orgId })).map(row => [row.id, row.note]))
  const placed = new Set((await findPlaces(db, ids, { orgId, kind })).map(row => row.contact_id))
  const tagged = await readTagsOfContacts(db, orgId, ids)
  const values = new Map(
    (await findValues(db, ids, { orgId })).map(row => [`${row.contact_id} ${row.field_id}`, row.value]),
  )
  /** The value to store. Undefined: unchanged. */
  const settle = (before: string | null | undefined, wanted: string | undefined) =>
    wanted === undefined || wanted === before || (existing === 'keep' && before != null) ? undefined : wanted

  return rows.map(one => {
    if (isRefused(one)) return one
    const contact = known.get(one.key)
    if (!contact) return { ...one, wanted: one, outcome: 'created', hasConversation: false, changes: [] }
    const { id } = contact
    const first = seen.get(id)
    if (first !== undefined && first !== one.row)
      return { row: one.row, fault: 'duplicate', column: null, given: one.phone }
    seen.set(id, one.row)
    const had = new Set((tagged.get(id) ?? []).map(({ label }) => fold(label)))
    const tags = one.tags.filter(label => !had.has(fold(label)))
    if (had.size + tags.length > maxTagsOfContact)
      return { row: one.row, fault: 'tooManyTags', column: null, given: one.phone }
    const name = settle(contact.name, one.name)
    const note = settle(notes.get(id), one.note)
    const fields = one.fields.filter(field => settle(values.get(`${id} ${field.id}`), field.value) !== undefined)
    const changes = [
      ...(name === undefined ? [] : ['name']),
      ...(note === undefined ? [] : ['note']),
      ...(tags.length ? ['tags'] : []),
      ...fields.map(field => fieldTarget(field.id)),
    ]
    const hasConversation = placed.has(id)
    const outcome = hasConversation ? (changes.length ? 'updated' : 'unchanged') : 'created'
    const facts = { ...(name === undefined ? {} : { name }), ...(note === undefined ? {} : { note }) }
    return { wanted: one, contactId: id, hasConversation, outcome, ...facts, tags, fields, changes }
  })
}

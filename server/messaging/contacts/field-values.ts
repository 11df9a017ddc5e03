import { findValues, listFields, removeValues, saveValues } from '#server/messaging/directory/field-store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { ContactChange, FilledField } from '#shared/contacts/chat-contact.ts'
import { fieldValueOf, maxContactFields } from '#shared/contacts/fields.ts'

/** Every field of the organization with the contact's value. */
export async function readFilled(db: Db, orgId: string, contactId: string): Promise<FilledField[]> {
  const fields = await listFields(db, orgId, maxContactFields)
  if (!fields.length) return []
  const values = new Map((await findValues(db, [contactId], { orgId })).map(row => [row.field_id, row.value]))
  return fields.map(field => ({ ...field, value: values.get(field.id) ?? null }))
}

/** Every field of the organization with the value of each of these contacts, by contact id. */
export async function readFilledOf(
  db: Db,
  orgId: string,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, readonly FilledField[]>> {
  const fields = await listFields(db, orgId, maxContactFields)
  const values = new Map<string, string>()
  if (fields.length)
    for (const { contact_id, field_id, value } of await findValues(db, contactIds, { orgId }))
      values.set(`${contact_id} ${field_id}`, value)
  return new Map(
    contactIds.map(id => [id, fields.map(field => ({ ...field, value: values.get(`${id} ${field.id}`) ?? null }))]),
  )
}

/**
 * Sets values of a contact. Null removes one. Returns whether anything changed. @throws InvalidInput for an unknown
 * field or an invalid value
 */
export async function fillFields(
  { db, orgId }: OrgWrite,
  contactId: string,
  given: NonNullable<ContactChange['fields']>,
): Promise<boolean> {
  const before = new Map((await readFilled(db, orgId, contactId)).map(field => [field.id, field]))
  const changed = new Map<string, string | null>()
  for (const [i, { id, value: typed }] of given.entries()) {
    const field = before.get(id)
    const refuse = (name: string) =>
      new InvalidInput([{ field: `body.fields.${i}.${name}`, code: 'invalid', params: {} }])
    if (!field) throw refuse('id')
    // An option that was removed stays valid for contacts who have it.
    const value = typed === null || typed === field.value ? typed : fieldValueOf(field, typed)
    if (value === undefined) throw refuse('value')
    if (value !== field.value) changed.set(id, value)
    else changed.delete(id)
  }
  const gone = [...changed].flatMap(([id, value]) => (value === null ? [id] : []))
  const filled = [...changed].flatMap(([fieldId, value]) => (value === null ? [] : [{ contactId, fieldId, value }]))
  if (gone.length) await removeValues(db, orgId, contactId, gone)
  if (filled.length) await saveValues(db, filled, { orgId })
  return changed.size > 0
}

import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { ContactField } from '#shared/contacts/fields.ts'

const shown = ['id', 'label', 'kind', 'options'] as const
const fieldOf = (row: { id: string; label: string; kind: ContactField['kind']; options: string }): ContactField => ({
  ...row,
  options: JSON.parse(row.options) as string[],
})

/** The fields in the order of creation. */
export const listFields = async (db: Db, orgId: string, most: number): Promise<ContactField[]> =>
  (
    await db.selectFrom('contact_field').select(shown).where('org_id', '=', orgId).orderBy('id').limit(most).execute()
  ).map(fieldOf)

export async function findField(db: Db, orgId: string, id: string): Promise<ContactField | undefined> {
  const row = await db
    .selectFrom('contact_field')
    .select(shown)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && fieldOf(row)
}

export async function saveField(db: OrgDb, orgId: string, field: ContactField): Promise<void> {
  const values = { label: field.label, options: JSON.stringify(field.options) }
  await db
    .insertInto('contact_field')
    .values({ id: field.id, org_id: orgId, kind: field.kind, ...values })
    .onConflict(conflict => conflict.column('id').doUpdateSet(values))
    .execute()
}

export async function deleteField(db: OrgDb, orgId: string, id: string): Promise<void> {
  await db.deleteFrom('contact_field').where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Deletes up to `limit` values of a field. Returns how many. */
export async function deleteValues(db: OrgDb, orgId: string, fieldId: string, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('contact_value')
    .select('contact_id')
    .where('org_id', '=', orgId)
    .where('field_id', '=', fieldId)
    .limit(limit)
    .execute()
  if (!rows.length) return 0
  await db
    .deleteFrom('contact_value')
    .where('field_id', '=', fieldId)
    .where(
      'contact_id',
      'in',
      rows.map(row => row.contact_id),
    )
    .where(belongsTo('contact_value.org_id', orgId))
    .execute()
  return rows.length
}

/** Values of contacts in all fields, deleted ones included. */
export const findValues = lookupQuery<{ orgId: string }, { contact_id: string; field_id: string; value: string }>(
  (db, ids, { orgId }) =>
    db
      .selectFrom('contact_value')
      .select(['contact_id', 'field_id', 'value'])
      .where('contact_id', 'in', ids)
      .where(belongsTo('contact_value.org_id', orgId)),
)

export const findValuesIn = lookupQuery<{ orgId: string; fieldId: string }, { contact_id: string; value: string }>(
  (db, ids, { orgId, fieldId }) =>
    db
      .selectFrom('contact_value')
      .select(['contact_id', 'value'])
      .where('contact_id', 'in', ids)
      .where('field_id', '=', fieldId)
      .where(belongsTo('contact_value.org_id', orgId)),
)

interface FieldValue {
  readonly contactId: string
  readonly fieldId: string
  readonly value: string
}

export const saveValues = bulkWrite<FieldValue, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db
      .insertInto('contact_value')
      .values(rows.map(row => ({ contact_id: row.contactId, field_id: row.fieldId, org_id: orgId, value: row.value })))
      .onConflict(conflict =>
        conflict.columns(['contact_id', 'field_id']).doUpdateSet(eb => ({ value: eb.ref('excluded.value') })),
      ) as never,
)

export async function removeValues(
  db: OrgDb,
  orgId: string,
  contactId: string,
  fieldIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('contact_value')
    .where('contact_id', '=', contactId)
    .where('field_id', 'in', fieldIds)
    .where(belongsTo('contact_value.org_id', orgId))
    .execute()
}

/** Removes the value of each of these contacts in one field. */
export const removeValuesIn = bulkWrite<{ contactId: string }, { orgId: string; fieldId: string }, never>(
  (db, rows, { orgId, fieldId }) =>
    db
      .deleteFrom('contact_value')
      .where(
        'contact_id',
        'in',
        rows.map(row => row.contactId),
      )
      .where('field_id', '=', fieldId)
      .where(belongsTo('contact_value.org_id', orgId)) as never,
)

/** Merges the values of two contacts. Where both have one, the winner's stays. */
export async function mergeValues(db: OrgDb, orgId: string, merge: { loser: string; winner: string }): Promise<void> {
  await db
    .insertInto('contact_value')
    .columns(['contact_id', 'field_id', 'org_id', 'value'])
    .expression(eb =>
      eb
        .selectFrom('contact_value')
        .select([eb.val(merge.winner).as('contact_id'), 'field_id', 'org_id', 'value'])
        .where(belongsTo('contact_value.org_id', orgId))
        .where('contact_id', '=', merge.loser),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { Segment, SegmentFilter } from '#shared/bulk-sends/segments.ts'
import { type ContactRow, contactColumns } from './audience-store.ts'

export async function listSegments(db: Db, orgId: string, limit: number): Promise<Segment[]> {
  const rows = await db
    .selectFrom('audience_segment')
    .select(['id', 'label', 'filter'])
    .where('org_id', '=', orgId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(row => ({ ...row, filter: JSON.parse(row.filter) }))
}

export async function findSegment(db: Db, orgId: string, id: string): Promise<Segment | undefined> {
  const row = await db
    .selectFrom('audience_segment')
    .select(['id', 'label', 'filter'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...row, filter: JSON.parse(row.filter) }
}

export async function insertSegment(
  db: OrgDb,
  orgId: string,
  { id, label, filter }: Segment,
  createdAt: string,
): Promise<void> {
  const row = { id, org_id: orgId, label, filter: JSON.stringify(filter), created_at: createdAt }
  await db.insertInto('audience_segment').values(row).execute()
}

/** Returns whether it existed. */
export async function deleteSegment(db: OrgDb, orgId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('audience_segment')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The last of the next `size` contacts. Undefined: none is left. */
export async function findWindowEnd(
  db: Db,
  orgId: string,
  { after, size }: { after: string; size: number },
): Promise<{ last: string; isWhole: boolean } | undefined> {
  const rows = await db
    .selectFrom('contact')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(size)
    .execute()
  const last = rows.at(-1)?.id
  return last === undefined ? undefined : { last, isWhole: rows.length === size }
}

/** Contacts between two ids that match a filter. `wroteSince`: the filter's days as a time. */
export function listOfSegment(
  db: Db,
  orgId: string,
  { tags, optedOut, wrote, field, number }: SegmentFilter,
  { after, last, wroteSince }: { after: string; last: string; wroteSince: string },
): Promise<ContactRow[]> {
  let query = db
    .selectFrom('contact')
    .select(contactColumns)
    .where('contact.org_id', '=', orgId)
    .where('contact.id', '>', after)
    .where('contact.id', '<=', last)
  if (optedOut !== undefined) query = query.where('contact.opt_out', optedOut ? 'is not' : 'is', null)
  for (const some of tags ? (tags.match === 'any' ? [tags.ids] : tags.ids.map(id => [id])) : [])
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('contact_tag')
          .select('contact_tag.tag_id')
          .whereRef('contact_tag.contact_id', '=', 'contact.id')
          .where('contact_tag.tag_id', 'in', some),
      ),
    )
  if (field)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('contact_value')
          .select('contact_value.field_id')
          .whereRef('contact_value.contact_id', '=', 'contact.id')
          .where('contact_value.field_id', '=', field.id)
          .where('contact_value.value', '=', field.value),
      ),
    )
  if (number !== undefined)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('conversation')
          .select('conversation.id')
          .whereRef('conversation.contact_id', '=', 'contact.id')
          .where('conversation.connection_id', '=', number),
      ),
    )
  if (wrote) {
    // A window closes a day after the customer's last message.
    const wroteSome = (since: string) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('conversation')
            .select('conversation.id')
            .whereRef('conversation.contact_id', '=', 'contact.id')
            .where('conversation.window_closes_at', '>', since),
        ),
      )
    if (wrote.when === 'within') query = wroteSome(wroteSince)
    else
      query = wroteSome('').where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('conversation')
              .select('conversation.id')
              .whereRef('conversation.contact_id', '=', 'contact.id')
              .where('conversation.window_closes_at', '>', wroteSince),
          ),
        ),
      )
  }
  return query.orderBy('contact.id').execute()
}

import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

export async function countContacts(db: Db, orgId: string, tagId: string): Promise<number> {
  const row = await db
    .selectFrom('contact_tag')
    .select(eb => eb.fn.countAll<number>().as('contacts'))
    .where('org_id', '=', orgId)
    .where('tag_id', '=', tagId)
    .executeTakeFirstOrThrow()
  return Number(row.contacts)
}

/** Counts the contacts with each tag, up to `most`. */
export async function countByTag(db: Db, orgId: string, most: number): Promise<{ tagId: string; contacts: number }[]> {
  const rows = await db
    .selectFrom('tag')
    .select(eb => [
      'tag.id',
      eb
        .selectFrom(
          eb
            .selectFrom('contact_tag')
            .select('contact_tag.tag_id')
            .where('contact_tag.org_id', '=', orgId)
            .whereRef('contact_tag.tag_id', '=', 'tag.id')
            .limit(most)
            .as('tagged'),
        )
        .select(count => count.fn.countAll<number>().as('contacts'))
        .as('contacts'),
    ])
    .where('tag.org_id', '=', orgId)
    .execute()
  return rows.map(row => ({ tagId: row.id, contacts: Number(row.contacts) }))
}

/** The number of tags of each contact, and whether this one is among them. Contacts without tags are absent. */
export async function countTags(
  db: Db,
  orgId: string,
  contactIds: readonly string[],
  tagId: string,
): Promise<ReadonlyMap<string, { tags: number; hasIt: boolean }>> {
  const rows = await db
    .selectFrom('contact_tag')
    .select('contact_id')
    .select(eb => [
      eb.fn.countAll<number>().as('tags'),
      eb.fn.sum<number>(eb.case().when('tag_id', '=', tagId).then(1).else(0).end()).as('has_it'),
    ])
    .where('contact_id', 'in', contactIds)
    .where(belongsTo('contact_tag.org_id', orgId))
    .groupBy('contact_id')
    .execute()
  return new Map(rows.map(row => [row.contact_id, { tags: Number(row.tags), hasIt: Number(row.has_it) > 0 }]))
}

export async function addToContacts(
  db: OrgDb,
  orgId: string,
  contactIds: readonly string[],
  tagId: string,
): Promise<void> {
  await db
    .insertInto('contact_tag')
    .values(contactIds.map(contactId => ({ contact_id: contactId, tag_id: tagId, org_id: orgId })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export async function removeFromContacts(
  db: OrgDb,
  orgId: string,
  contactIds: readonly string[],
  tagId: string,
): Promise<void> {
  await db
    .deleteFrom('contact_tag')
    .where('contact_id', 'in', contactIds)
    .where('tag_id', '=', tagId)
    .where(belongsTo('contact_tag.org_id', orgId))
    .execute()
}

const listSome = (db: Db, orgId: string, tagId: string, limit: number) =>
  db
    .selectFrom('contact_tag')
    .select('contact_id')
    .where('org_id', '=', orgId)
    .where('tag_id', '=', tagId)
    .limit(limit)
    .execute()

/** Replaces a tag by another on up to `limit` contacts. Returns how many; fewer than `limit`: none is left. */
export async function moveSome(
  db: OrgDb,
  orgId: string,
  { from, to }: { from: string; to: string },
  limit: number,
): Promise<number> {
  const rows = await listSome(db, orgId, from, limit)
  if (rows.length)
    await db
      .insertInto('contact_tag')
      .values(rows.map(row => ({ contact_id: row.contact_id, tag_id: to, org_id: orgId })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  return removeFromSome(db, orgId, from, limit)
}

/** Removes a tag from up to `limit` contacts. Returns how many; fewer than `limit`: none is left. */
export async function removeFromSome(db: OrgDb, orgId: string, tagId: string, limit: number): Promise<number> {
  const rows = await listSome(db, orgId, tagId, limit)
  if (rows.length)
    await db
      .deleteFrom('contact_tag')
      .where('tag_id', '=', tagId)
      .where(
        'contact_id',
        'in',
        rows.map(row => row.contact_id),
      )
      .where(belongsTo('contact_tag.org_id', orgId))
      .execute()
  return rows.length
}

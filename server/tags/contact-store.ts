import { isOf } from '../bulk.ts'
import type { Db } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'

/** How many contacts carry a tag. */
export async function countContacts(db: Db, orgId: string, tagId: string): Promise<number> {
  const row = await db
    .selectFrom('contact_tag')
    .select(eb => eb.fn.countAll<number>().as('contacts'))
    .where('org_id', '=', orgId)
    .where('tag_id', '=', tagId)
    .executeTakeFirstOrThrow()
  return Number(row.contacts)
}

/** The tags of one contact. */
export async function tagIdsOf(db: Db, orgId: string, contactId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('contact_tag')
    .select('tag_id')
    .where('contact_id', '=', contactId)
    .where(isOf('contact_tag.org_id', orgId))
    .execute()
  return new Set(rows.map(row => row.tag_id))
}

interface ContactTag {
  readonly contactId: string
  readonly tagId: string
}

export const addToContact = (db: OrgDb, orgId: string, { contactId, tagId }: ContactTag): Promise<unknown> =>
  db
    .insertInto('contact_tag')
    .values({ contact_id: contactId, tag_id: tagId, org_id: orgId })
    .onConflict(conflict => conflict.doNothing())
    .execute()

export const removeFromContact = (db: OrgDb, orgId: string, { contactId, tagId }: ContactTag): Promise<unknown> =>
  db
    .deleteFrom('contact_tag')
    .where('contact_id', '=', contactId)
    .where('tag_id', '=', tagId)
    .where(isOf('contact_tag.org_id', orgId))
    .execute()

/** Takes a tag off some of its contacts; answers of how many, fewer than `limit` when none is left. */
export async function removeFromSome(db: OrgDb, orgId: string, tagId: string, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('contact_tag')
    .select('contact_id')
    .where('org_id', '=', orgId)
    .where('tag_id', '=', tagId)
    .limit(limit)
    .execute()
  if (rows.length)
    await db
      .deleteFrom('contact_tag')
      .where('tag_id', '=', tagId)
      .where(
        'contact_id',
        'in',
        rows.map(row => row.contact_id),
      )
      .where(isOf('contact_tag.org_id', orgId))
      .execute()
  return rows.length
}

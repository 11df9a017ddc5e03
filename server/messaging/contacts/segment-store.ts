import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database, Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { type Clock, isoIn } from '#server/platform/time/clock.ts'
import type { Segment, SegmentFilter } from '#shared/contacts/segments.ts'

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

const dayMs = 86_400_000

/**
 * Somebody who wrote exactly the filter's days ago has a window that closes at this time. Without days, one day counts.
 */
export const wroteSinceOf = ({ wrote }: SegmentFilter, clock: Clock): string =>
  isoIn(clock, -((wrote?.days ?? 1) - 1) * dayMs)

/**
 * SQL: a row of `contact` meets all conditions of the filter. `wroteSince`: the filter's days as a time, from
 * `wroteSinceOf`.
 */
export const meetsSegment =
  ({ tags, optedOut, wrote, field, number }: SegmentFilter, wroteSince: string) =>
  (eb: ExpressionBuilder<Database, 'contact'>): Expression<SqlBool> => {
    const hasTag = (ids: readonly string[]) =>
      eb.exists(
        eb
          .selectFrom('contact_tag')
          .select('contact_tag.tag_id')
          .whereRef('contact_tag.contact_id', '=', 'contact.id')
          .where('contact_tag.tag_id', 'in', ids),
      )
    // A window closes a day after the customer's last message.
    const wroteAfter = (since: string) =>
      eb.exists(
        eb
          .selectFrom('conversation')
          .select('conversation.id')
          .whereRef('conversation.contact_id', '=', 'contact.id')
          .where('conversation.window_closes_at', '>', since),
      )
    const conditions: Expression<SqlBool>[] = []
    if (optedOut !== undefined) conditions.push(eb('contact.opt_out', optedOut ? 'is not' : 'is', null))
    if (tags) conditions.push(...(tags.match === 'any' ? [hasTag(tags.ids)] : tags.ids.map(id => hasTag([id]))))
    if (field)
      conditions.push(
        eb.exists(
          eb
            .selectFrom('contact_value')
            .select('contact_value.field_id')
            .whereRef('contact_value.contact_id', '=', 'contact.id')
            .where('contact_value.field_id', '=', field.id)
            .where('contact_value.value', '=', field.value),
        ),
      )
    if (number !== undefined)
      conditions.push(
        eb.exists(
          eb
            .selectFrom('conversation')
            .select('conversation.id')
            .whereRef('conversation.contact_id', '=', 'contact.id')
            .where('conversation.connection_id', '=', number),
        ),
      )
    if (wrote?.when === 'within') conditions.push(wroteAfter(wroteSince))
    if (wrote?.when === 'before') conditions.push(wroteAfter(''), eb.not(wroteAfter(wroteSince)))
    return eb.and(conditions)
  }

import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Records that these people were written to first. The latest time counts. */
export const saveOpened = bulkWrite<{ contactId: string }, { orgId: string; at: string }, never>(
  (db, rows, { orgId, at }) =>
    db
      .insertInto('opened_person')
      .values(rows.map(({ contactId }) => ({ contact_id: contactId, org_id: orgId, opened_at: at })))
      .onConflict(conflict =>
        conflict.column('contact_id').doUpdateSet(eb => ({ opened_at: eb.ref('excluded.opened_at') })),
      ) as never,
)

/** Counts the people whom the organization wrote to first since a time. */
export async function countOpened(db: Db, orgId: string, since: string): Promise<number> {
  const row = await db
    .selectFrom('opened_person')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('opened_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Returns the time at which the person after the `skip` oldest was written to. Undefined: there are fewer. */
export async function findOpenedAt(
  db: Db,
  orgId: string,
  { since, skip }: { since: string; skip: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('opened_person')
    .select('opened_at')
    .where('org_id', '=', orgId)
    .where('opened_at', '>', since)
    .orderBy('opened_at')
    .offset(skip)
    .limit(1)
    .executeTakeFirst()
  return row?.opened_at
}

/** Returns the contacts that the organization wrote to first since a time. */
export const findOpened = lookupQuery<{ orgId: string; since: string }, { contact_id: string }>(
  (db, ids, { orgId, since }) =>
    db
      .selectFrom('opened_person')
      .select('contact_id')
      .where('contact_id', 'in', ids)
      .where('opened_at', '>', since)
      .where(belongsTo('opened_person.org_id', orgId)),
)

/** Returns the contacts with an open window on a number. */
export const findInWindow = lookupQuery<{ orgId: string; connectionId: string; now: string }, { contact_id: string }>(
  (db, ids, { orgId, connectionId, now }) =>
    db
      .selectFrom('conversation')
      .select('contact_id')
      .where('contact_id', 'in', ids)
      .where('connection_id', '=', connectionId)
      .where('window_closes_at', '>', now)
      .where(belongsTo('conversation.org_id', orgId)),
)

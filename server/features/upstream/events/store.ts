import { hasConnectedNumber } from '#server/identity/numbers/outside-number.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** True if there is an organization with this id of ours that the upstream answers for. */
export const isAnsweredFor = async (db: Db, orgId: string): Promise<boolean> =>
  (await db.selectFrom('organization').select('id').where('id', '=', orgId).executeTakeFirst()) !== undefined &&
  !(await hasConnectedNumber(db, orgId))

/** Notes that an event came. False: it came before. */
export async function markReceived(db: OrgDb, orgId: string, { id, at }: { id: string; at: string }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('upstream_event')
    .values({ org_id: orgId, id, received_at: at })
    .onConflict(conflict => conflict.columns(['org_id', 'id']).doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** The last event came at this time. Null: none did within the last days. */
export async function lastReceivedAt(db: Db, orgId: string): Promise<string | null> {
  const row = await db
    .selectFrom('upstream_event')
    .select(({ fn }) => fn.max('received_at').as('at'))
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row?.at ?? null
}

/** Deletes at most `limit` events that came before a time. Returns how many. */
export async function deleteEventsBefore(trx: Db, time: string, limit: number): Promise<number> {
  const old = trx
    .selectFrom('upstream_event')
    .select(['org_id', 'id'])
    .where('received_at', '<', time)
    .orderBy('received_at')
    .limit(limit)
  const { numDeletedRows } = await trx
    .deleteFrom('upstream_event')
    .where(({ eb, refTuple }) => eb(refTuple('org_id', 'id'), 'in', old.$asTuple('org_id', 'id')))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { StoredPresence } from '#server/platform/http/presence.ts'

/** Members in a flow's editor at this time, the latest first. */
export const listEditors = (
  db: Db,
  orgId: string,
  { flowId, at, limit }: { flowId: string; at: string; limit: number },
): Promise<StoredPresence[]> =>
  db
    .selectFrom('flow_presence')
    .select(['person_id as id', 'name', 'looks_until as looksUntil', 'writes_until as writesUntil'])
    .where('flow_id', '=', flowId)
    .where('org_id', '=', orgId)
    .where('looks_until', '>', at)
    .orderBy('looks_until', 'desc')
    .limit(limit)
    .execute()

export async function saveEditor(
  db: OrgDb,
  orgId: string,
  flowId: string,
  { id, name, looksUntil, writesUntil }: StoredPresence,
): Promise<void> {
  const values = { name, looks_until: looksUntil, writes_until: writesUntil }
  await db
    .insertInto('flow_presence')
    .values({ flow_id: flowId, person_id: id, org_id: orgId, ...values })
    .onConflict(conflict => conflict.columns(['flow_id', 'person_id']).doUpdateSet(values))
    .execute()
}

export async function deleteEditor(db: OrgDb, orgId: string, flowId: string, id: string): Promise<void> {
  await db
    .deleteFrom('flow_presence')
    .where('flow_id', '=', flowId)
    .where('org_id', '=', orgId)
    .where('person_id', '=', id)
    .execute()
}

/** Deletes presence that expired before this time, for at most `limit` flows. Returns the number of rows. */
export async function deleteEndedEditors(db: Db, at: string, limit: number): Promise<number> {
  const ended = db
    .selectFrom('flow_presence')
    .select(['flow_id', 'person_id'])
    .where('looks_until', '<', at)
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('flow_presence')
    .where(({ eb, refTuple }) => eb(refTuple('flow_id', 'person_id'), 'in', ended.$asTuple('flow_id', 'person_id')))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

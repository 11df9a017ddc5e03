import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OrgDeletionTable } from '../table.ts'

/** Returns the time at which the organization will be deleted, ISO 8601. Undefined: nobody requested it. */
export async function findDeletion(db: Db, orgId: string): Promise<string | undefined> {
  const row = await db.selectFrom('org_deletion').select('due_at').where('org_id', '=', orgId).executeTakeFirst()
  return row?.due_at
}

/** Returns the organizations that are scheduled for deletion, with the time. Reads at most the first 2,000 ids. */
export async function listDeletions(db: Db, orgIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (!orgIds.length) return new Map()
  const rows = await db
    .selectFrom('org_deletion')
    .select(['org_id', 'due_at'])
    .where('org_id', 'in', orgIds.slice(0, 2_000))
    .execute()
  return new Map(rows.map(row => [row.org_id, row.due_at]))
}

export async function insertDeletion(db: OrgDb, orgId: string, row: Omit<OrgDeletionTable, 'org_id'>): Promise<void> {
  await db
    .insertInto('org_deletion')
    .values({ org_id: orgId, ...row })
    .execute()
}

export async function removeDeletion(db: OrgDb, orgId: string): Promise<void> {
  await db.deleteFrom('org_deletion').where('org_id', '=', orgId).execute()
}

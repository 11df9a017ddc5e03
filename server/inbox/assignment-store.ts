import { isOf } from '../bulk.ts'
import type { Db } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'
import { findRows, type ListRow } from './list-row.ts'

export async function isMember(db: Db, orgId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', orgId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Conversations that are assigned to a person, in no order; `limit` of them. */
export async function listAssigned(db: Db, orgId: string, userId: string, limit: number): Promise<ListRow[]> {
  const ids = await db
    .selectFrom('conversation')
    .select('id')
    .where('org_id', '=', orgId)
    .where('assignee_id', '=', userId)
    .limit(limit)
    .execute()
  return findRows.byId(
    db,
    ids.map(({ id }) => id),
    { orgId },
  )
}

/** Takes the assignee off these conversations. */
export async function unassign(db: OrgDb, orgId: string, ids: readonly string[]): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('conversation')
    .set({ assignee_id: null })
    .where(isOf('conversation.org_id', orgId))
    .where('id', 'in', ids)
    .execute()
}

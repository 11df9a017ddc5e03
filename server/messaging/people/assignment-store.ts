import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { ConversationTable } from '#server/messaging/table.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** A member with the stored role. Undefined: no member of this organization. */
export const findAssignee = (
  db: Db,
  orgId: string,
  userId: string,
): Promise<{ name: string; role: string } | undefined> =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['user.name', 'member.role'])
    .where('member.organizationId', '=', orgId)
    .where('member.userId', '=', userId)
    .executeTakeFirst()

/** The team's name. Undefined: the organization has no such team. */
export async function findTeamName(db: Db, orgId: string, teamId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('team')
    .select('name')
    .where('id', '=', teamId)
    .where('organizationId', '=', orgId)
    .executeTakeFirst()
  return row?.name
}

/** Lists at most `limit` conversations assigned to a person or a team, in no order. */
export async function listAssigned(
  db: Db,
  orgId: string,
  { kind, id }: { kind: 'person' | 'team'; id: string },
  limit: number,
): Promise<ListRow[]> {
  const found = await db
    .selectFrom('conversation')
    .select('id')
    .where('org_id', '=', orgId)
    .where(kind === 'person' ? 'assignee_id' : 'team_id', '=', id)
    .limit(limit)
    .execute()
  return findRows.byId(
    db,
    found.map(row => row.id),
    { orgId },
  )
}

/** Removes the person or team from these conversations. */
export async function unassign(
  db: OrgDb,
  orgId: string,
  kind: 'person' | 'team',
  ids: readonly string[],
): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('conversation')
    .set(kind === 'person' ? { assignee_id: null } : { team_id: null })
    .where(belongsTo('conversation.org_id', orgId))
    .where('id', 'in', ids)
    .execute()
}

/** Sets the assignment of these conversations. Absent values stay. */
export async function setAssignment(
  db: OrgDb,
  orgId: string,
  ids: readonly string[],
  values: Pick<ConversationTable, 'control'> & {
    assignee_id?: string | null
    team_id?: string | null
  },
): Promise<void> {
  await db
    .updateTable('conversation')
    .set(values)
    .where(belongsTo('conversation.org_id', orgId))
    .where('id', 'in', ids)
    .execute()
}

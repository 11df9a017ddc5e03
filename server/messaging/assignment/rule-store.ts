import { sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { lastWriterDepth } from '#server/messaging/conversations/rows/store.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { AssignmentRule, AvailabilityState } from '#shared/inbox/assignment.ts'
import type { RuleState } from './choosing.ts'

/** Stored as the team of the organization's own rule. */
const ofOrganization = ''

const rules = hotQuery((db, p: { orgId: string }) =>
  db
    .selectFrom('assignment_rule')
    .select(['team_id', 'way', 'most', 'to_last', 'last_user_id'])
    .where('org_id', '=', p.orgId),
)

/** All rules by team. Null: the organization's. */
export async function listRules(db: Db, orgId: string): Promise<Map<string | null, RuleState>> {
  const rows = await rules(db, { orgId })
  return new Map(
    rows.map(row => [
      row.team_id === ofOrganization ? null : row.team_id,
      {
        rule: { way: row.way as AssignmentRule['way'], most: row.most, toLast: row.to_last === 1 },
        lastUserId: row.last_user_id,
      },
    ]),
  )
}

export async function saveRule(
  db: OrgDb,
  orgId: string,
  teamId: string | null,
  { way, most, toLast }: AssignmentRule,
): Promise<void> {
  const values = { way, most, to_last: toLast ? 1 : 0 }
  await db
    .insertInto('assignment_rule')
    .values({ org_id: orgId, team_id: teamId ?? ofOrganization, last_user_id: null, ...values })
    .onConflict(conflict => conflict.columns(['org_id', 'team_id']).doUpdateSet(values))
    .execute()
}

export async function deleteRule(db: OrgDb, orgId: string, teamId: string | null): Promise<void> {
  await db
    .deleteFrom('assignment_rule')
    .where('org_id', '=', orgId)
    .where('team_id', '=', teamId ?? ofOrganization)
    .execute()
}

export async function saveLastChosen(
  db: OrgDb,
  orgId: string,
  teamId: string | null,
  userId: string | null,
): Promise<void> {
  await db
    .updateTable('assignment_rule')
    .set({ last_user_id: userId })
    .where('org_id', '=', orgId)
    .where('team_id', '=', teamId ?? ofOrganization)
    .execute()
}

export async function saveAvailability(
  db: OrgDb,
  orgId: string,
  { userId, state, at }: { userId: string; state: AvailabilityState; at: string },
): Promise<void> {
  const values = { state, changed_at: at }
  await db
    .insertInto('availability')
    .values({ org_id: orgId, user_id: userId, ...values })
    .onConflict(conflict => conflict.columns(['org_id', 'user_id']).doUpdateSet(values))
    .execute()
}

export async function deleteAvailability(db: OrgDb, orgId: string, userId: string): Promise<void> {
  await db.deleteFrom('availability').where('org_id', '=', orgId).where('user_id', '=', userId).execute()
}

export const listTeams = (db: Db, orgId: string): Promise<{ id: string; name: string }[]> =>
  db.selectFrom('team').select(['id', 'name']).where('organizationId', '=', orgId).orderBy('name').execute()

/** The member who wrote last in each of these conversations, among their newest messages. */
export async function listLastWriters(
  db: Db,
  orgId: string,
  conversationIds: readonly string[],
): Promise<Map<string, string>> {
  if (!conversationIds.length) return new Map()
  const rows = await db
    .selectFrom('conversation')
    .select(eb => [
      'conversation.id',
      eb
        .selectFrom(
          eb
            .selectFrom('message')
            .select(['author_kind', 'author_id', 'direction', 'at', 'seq'])
            .whereRef('message.conversation_id', '=', 'conversation.id')
            .orderBy('at', 'desc')
            .orderBy('seq', 'desc')
            .limit(lastWriterDepth)
            .as('newest'),
        )
        .select('newest.author_id')
        .where('newest.author_kind', '=', 'person')
        .where('newest.direction', '=', 'out')
        .orderBy('newest.at', 'desc')
        .orderBy('newest.seq', 'desc')
        .limit(1)
        .as('userId'),
    ])
    .where('conversation.id', 'in', conversationIds)
    .where(belongsTo('conversation.org_id', orgId))
    .execute()
  return new Map(rows.flatMap(({ id, userId }) => (userId ? [[id, userId] as const] : [])))
}

/** Ids of waiting, unassigned conversations, longest wait first. */
export async function listWaiting(db: Db, orgId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('conversation')
    .select('id')
    .where('org_id', '=', orgId)
    .where('kind', '=', listedKind(orgId))
    .where('archived', '=', 0)
    // Must match the index of waiting conversations. The index by assignee would be slow, because most have none.
    .where('control', '=', sql.lit('needsHuman'))
    .where(sql<boolean>`coalesce(assignee_id, '') = ''`)
    .orderBy('last_activity_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { AvailabilityState } from '#shared/inbox/assignment.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

/** Limit of people notified of one waiting customer. */
const maxRecipients = 200

/** Members who may answer customers, at most 200, longest membership first. */
export async function listRepliers(db: Db, orgId: string): Promise<string[]> {
  const members = await db
    .selectFrom('member')
    .select(['userId', 'role'])
    .where('organizationId', '=', orgId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(maxRecipients)
    .execute()
  return members.filter(member => roleCan(effectiveRole(member.role), 'chat:reply')).map(member => member.userId)
}

/** Members considered at most. */
const maxPeople = 500

export interface Replier {
  readonly userId: string
  readonly name: string
  readonly state: AvailabilityState
}

/** Members who may answer customers, with their availability, by id. */
export async function listAvailable(db: Db, orgId: string): Promise<Replier[]> {
  const rows = await db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .leftJoin('availability', join =>
      join
        .onRef('availability.user_id', '=', 'member.userId')
        .onRef('availability.org_id', '=', 'member.organizationId'),
    )
    .select(['member.userId', 'member.role', 'user.name', 'availability.state'])
    .where('member.organizationId', '=', orgId)
    .orderBy('member.userId')
    .limit(maxPeople)
    .execute()
  return rows
    .filter(({ role }) => roleCan(effectiveRole(role), 'chat:reply'))
    .map(({ userId, name, state }) => ({ userId, name, state: (state ?? 'hours') as AvailabilityState }))
}

/** The teams of all members. */
export async function listTeamsOf(db: Db, orgId: string): Promise<Map<string, Set<string>>> {
  const rows = await db
    .selectFrom('team')
    .innerJoin('teamMember', 'teamMember.teamId', 'team.id')
    .where('team.organizationId', '=', orgId)
    .select(['teamMember.userId', 'teamMember.teamId'])
    .execute()
  const teams = new Map<string, Set<string>>()
  for (const { userId, teamId } of rows) teams.set(userId, (teams.get(userId) ?? new Set()).add(teamId))
  return teams
}

/** The number of open conversations of each of these members. */
export async function countOpen(db: Db, orgId: string, userIds: readonly string[]): Promise<Map<string, number>> {
  if (!userIds.length) return new Map()
  const rows = await db
    .selectFrom('conversation')
    .select(['assignee_id', eb => eb.fn.countAll<number>().as('count')])
    .where('org_id', '=', orgId)
    .where('assignee_id', 'in', userIds)
    .where('kind', '=', listedKind(orgId))
    .where('archived', '=', 0)
    .groupBy('assignee_id')
    .execute()
  return new Map(rows.map(row => [row.assignee_id as string, Number(row.count)]))
}

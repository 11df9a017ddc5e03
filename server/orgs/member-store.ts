import { effectiveRole, type OrgRole } from '#shared/permissions.ts'
import { type Db, hotQuery } from '../db.ts'

const membersOf = hotQuery((db, p: { orgId: string; limit: number }) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', p.orgId)
    .select(['member.id', 'user.id as userId', 'user.name', 'user.email', 'member.role'])
    .orderBy('user.name')
    .orderBy('user.id')
    .limit(p.limit),
)

/** The people of an organization by name. */
export const listMembers = (db: Db, orgId: string, limit: number) => membersOf(db, { orgId, limit })

export async function countMembers(db: Db, orgId: string): Promise<number> {
  const { count } = await db
    .selectFrom('member')
    .where('organizationId', '=', orgId)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The teams of an organization by name. */
export const listTeams = (db: Db, orgId: string, limit: number) =>
  db
    .selectFrom('team')
    .where('organizationId', '=', orgId)
    .select(['id', 'name', 'description'])
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Who is in the teams of an organization, by name; whoever has left the organization is in none. */
export const listTeamMembers = (db: Db, orgId: string, limit: number) =>
  db
    .selectFrom('team')
    .innerJoin('teamMember', 'teamMember.teamId', 'team.id')
    .innerJoin('member', join =>
      join.onRef('member.userId', '=', 'teamMember.userId').on('member.organizationId', '=', orgId),
    )
    .innerJoin('user', 'user.id', 'member.userId')
    .where('team.organizationId', '=', orgId)
    .select(['teamMember.teamId', 'teamMember.userId'])
    .orderBy('user.name')
    .orderBy('user.id')
    .limit(limit)
    .execute()

/** The role of a person in an organization; undefined: not a member. */
export async function findMemberRole(db: Db, orgId: string, userId: string): Promise<OrgRole | undefined> {
  const row = await db
    .selectFrom('member')
    .select('role')
    .where('userId', '=', userId)
    .where('organizationId', '=', orgId)
    .executeTakeFirst()
  return row && effectiveRole(row.role)
}

/** @throws when there is none of that id */
export const getOrganization = (db: Db, orgId: string) =>
  db
    .selectFrom('organization')
    .where('id', '=', orgId)
    .select(['id', 'name', 'slug', 'logo', 'createdAt'])
    .executeTakeFirstOrThrow()

import type { Expression } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import { effectiveRole, type OrgRole } from '#shared/kernel/permissions.ts'

const accented = 'áàâãäåéèêëíìîïóòôõöúùûüýñç'
const plain = 'aaaaaaeeeeiiiiooooouuuuync'

/** A name folded for sorting and search: lower case, without accents. */
const foldedName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^ -~]/g, letter => plain[accented.indexOf(letter)] ?? letter)

const people = (db: Db, orgId: string) =>
  db.selectFrom('member').innerJoin('user', 'user.id', 'member.userId').where('member.organizationId', '=', orgId)

const pageOfMembers = (from: ReturnType<typeof people>, limit: number) =>
  from
    .select(['member.id', 'user.id as userId', 'user.name', 'user.email', 'member.role'])
    .orderBy('member.sort_name')
    .orderBy('member.userId')
    .limit(limit)

const firstMembersOf = hotQuery((db, p: { orgId: string; limit: number }) =>
  pageOfMembers(people(db, p.orgId), p.limit),
)

const foundPeople = (db: Db, orgId: string, search: string) =>
  people(db, orgId).where(eb => {
    // Compares literally: `like` would interpret `%` and `_`, and escapes them differently on each engine.
    const holds = (text: Expression<string>, part: string) =>
      eb(eb.fn<string>('replace', [text, eb.val(part), eb.val('')]), '!=', text)
    return eb.or([
      holds(eb.ref('member.sort_name'), foldedName(search)),
      holds(eb.fn<string>('lower', ['user.email']), search.toLowerCase()),
    ])
  })

/** Members by name. `search`: a part of the name, with or without accents, or of the address. */
export const listMembers = (
  db: Db,
  orgId: string,
  { limit, offset }: { limit: number; offset: number },
  search?: string,
) =>
  search === undefined && offset === 0
    ? firstMembersOf(db, { orgId, limit })
    : pageOfMembers(search === undefined ? people(db, orgId) : foundPeople(db, orgId, search), limit)
        .offset(offset)
        .execute()

export async function countMembers(db: Db, orgId: string, search?: string): Promise<number> {
  const found =
    search === undefined ? db.selectFrom('member').where('organizationId', '=', orgId) : foundPeople(db, orgId, search)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

/** `lastSeen` has ISO times by person; sessions of impersonators do not count. */
export async function listAccountFacts(
  db: Db,
  orgId: string,
  userIds: readonly string[],
): Promise<{ lastSeen: ReadonlyMap<string, string>; withSecondFactor: ReadonlySet<string> }> {
  if (!userIds.length) return { lastSeen: new Map(), withSecondFactor: new Set() }
  const [seen, factors] = await Promise.all([
    db
      .selectFrom('member')
      .innerJoin('session', 'session.userId', 'member.userId')
      .where('member.organizationId', '=', orgId)
      .where('member.userId', 'in', userIds)
      .where('session.impersonatedBy', 'is', null)
      .groupBy('member.userId')
      .select(eb => ['member.userId', eb.fn.max('session.updatedAt').as('at')])
      .execute(),
    db
      .selectFrom('member')
      .innerJoin('second_factor', 'second_factor.user_id', 'member.userId')
      .where('member.organizationId', '=', orgId)
      .where('member.userId', 'in', userIds)
      .select('member.userId')
      .execute(),
  ])
  return {
    lastSeen: new Map(seen.map(({ userId, at }) => [userId, at])),
    withSecondFactor: new Set(factors.map(({ userId }) => userId)),
  }
}

/** The teams by name. */
export const listTeams = (db: Db, orgId: string, limit: number) =>
  db
    .selectFrom('team')
    .where('organizationId', '=', orgId)
    .select(['id', 'name', 'description'])
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Members of the organization's teams, by name. People who left the organization are omitted. */
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

const selectRole = hotQuery((db, p: { orgId: string; userId: string }) =>
  db.selectFrom('member').select('role').where('userId', '=', p.userId).where('organizationId', '=', p.orgId),
)

/** Undefined: not a member. */
export async function findMemberRole(db: Db, orgId: string, userId: string): Promise<OrgRole | undefined> {
  const [row] = await selectRole(db, { orgId, userId })
  return row && effectiveRole(row.role)
}

/** @throws if there is none */
export const getOrganization = (db: Db, orgId: string) =>
  db
    .selectFrom('organization')
    .where('id', '=', orgId)
    .select(['id', 'name', 'slug', 'logo', 'createdAt'])
    .executeTakeFirstOrThrow()

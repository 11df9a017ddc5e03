import { belongsTo, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'
import type { ConversationFacts, Limits } from './scope.ts'

interface Limiting {
  readonly conversations: boolean
  readonly teams: boolean
}

interface LimitRow {
  conversations: number
  teams: number
  role: string | null
  tag_id: string | null
}

/** One row with nulls: limited, and nothing granted. No row: not limited. */
const limits = hotQuery<{ orgId: string }, LimitRow>((db, p) =>
  db
    .selectFrom('content_access_setting as setting')
    .leftJoin('content_access', 'content_access.org_id', 'setting.org_id')
    .where('setting.org_id', '=', p.orgId)
    .where(eb => eb.or([eb('setting.conversations', '=', 1), eb('setting.teams', '=', 1)]))
    .select(['setting.conversations', 'setting.teams', 'content_access.role', 'content_access.tag_id']),
)

const teamsOf = hotQuery<{ orgId: string }, { userId: string; teamId: string }>((db, p) =>
  db
    .selectFrom('team')
    .innerJoin('teamMember', 'teamMember.teamId', 'team.id')
    .where('team.organizationId', '=', p.orgId)
    .select(['teamMember.userId', 'teamMember.teamId']),
)

const teamsOfPerson = hotQuery<{ orgId: string; userId: string }, { userId: string; teamId: string }>((db, p) =>
  db
    .selectFrom('teamMember')
    .innerJoin('team', 'team.id', 'teamMember.teamId')
    .where('teamMember.userId', '=', p.userId)
    .where('team.organizationId', '=', p.orgId)
    .select(['teamMember.userId', 'teamMember.teamId']),
)

const collect = (pairs: Iterable<readonly [string | null, string | null]>): ReadonlyMap<string, readonly string[]> => {
  const lists = new Map<string, string[]>()
  for (const [key, value] of pairs) {
    if (key === null || value === null) continue
    const known = lists.get(key)
    if (known) known.push(value)
    else lists.set(key, [value])
  }
  return lists
}

/** The limits, with the teams of all members or of one; null: no limits. */
export async function findLimits(db: Db, orgId: string, personId?: string): Promise<Limits> {
  const rows = await limits(db, { orgId })
  const [setting] = rows
  if (!setting) return null
  const inTeams = await (personId === undefined
    ? teamsOf(db, { orgId })
    : teamsOfPerson(db, { orgId, userId: personId }))
  return {
    tags: setting.conversations === 1 ? collect(rows.map(row => [row.role, row.tag_id])) : null,
    byTeam: setting.teams === 1,
    teams: collect(inTeams.map(row => [row.userId, row.teamId])),
  }
}

export async function findLimiting(db: Db, orgId: string): Promise<Limiting> {
  const [setting] = await limits(db, { orgId })
  return { conversations: setting?.conversations === 1, teams: setting?.teams === 1 }
}

interface FactRow {
  id: string
  assignee_id: string | null
  team_id: string | null
  tag_id: string | null
}

const factsById = lookupQuery<{ orgId: string }, FactRow>((db, ids, { orgId }) =>
  db
    .selectFrom('conversation')
    .leftJoin('contact_tag', 'contact_tag.contact_id', 'conversation.contact_id')
    .where(belongsTo('conversation.org_id', orgId))
    .where('conversation.id', 'in', ids)
    .select(['conversation.id', 'conversation.assignee_id', 'conversation.team_id', 'contact_tag.tag_id']),
)

/** The facts by id, without conversations that no longer exist. */
export async function findFacts(
  db: Db,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ConversationFacts>> {
  const facts = new Map<string, Omit<ConversationFacts, 'tagIds'> & { tagIds: Set<string> }>()
  if (!ids.length) return facts
  for (const row of await factsById(db, ids, { orgId })) {
    const known = facts.get(row.id) ?? { assigneeId: row.assignee_id, teamId: row.team_id, tagIds: new Set<string>() }
    if (row.tag_id !== null) known.tagIds.add(row.tag_id)
    facts.set(row.id, known)
  }
  return facts
}

export async function listGranted(db: Db, orgId: string, role: OrgRole): Promise<string[]> {
  const rows = await db
    .selectFrom('content_access')
    .select('tag_id')
    .where('org_id', '=', orgId)
    .where('role', '=', role)
    .orderBy('tag_id')
    .execute()
  return rows.map(row => row.tag_id)
}

export async function listGrantedRoles(db: Db, orgId: string, tagId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('content_access')
    .select('role')
    .where('org_id', '=', orgId)
    .where('tag_id', '=', tagId)
    .orderBy('role')
    .execute()
  return rows.map(row => row.role)
}

interface Grant {
  readonly role: OrgRole
  readonly tagId: string
}

export async function isGranted(db: Db, orgId: string, { role, tagId }: Grant): Promise<boolean> {
  const row = await db
    .selectFrom('content_access')
    .select('tag_id')
    .where('org_id', '=', orgId)
    .where('role', '=', role)
    .where('tag_id', '=', tagId)
    .executeTakeFirst()
  return row !== undefined
}

export async function addGrant(db: OrgDb, orgId: string, { role, tagId }: Grant, at: string): Promise<void> {
  await db
    .insertInto('content_access')
    .values({ org_id: orgId, role, tag_id: tagId, granted_at: at })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export async function removeGrant(db: OrgDb, orgId: string, { role, tagId }: Grant): Promise<void> {
  await db
    .deleteFrom('content_access')
    .where('org_id', '=', orgId)
    .where('role', '=', role)
    .where('tag_id', '=', tagId)
    .execute()
}

export async function saveLimiting(db: OrgDb, orgId: string, limiting: Limiting, at: string): Promise<void> {
  const values = { conversations: limiting.conversations ? 1 : 0, teams: limiting.teams ? 1 : 0, updated_at: at }
  await db
    .insertInto('content_access_setting')
    .values({ org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(values))
    .execute()
}

/** Members with their stored roles. */
export const listMembersByRole = (db: Db, orgId: string): Promise<{ userId: string; role: string }[]> =>
  db.selectFrom('member').select(['userId', 'role']).where('organizationId', '=', orgId).orderBy('userId').execute()

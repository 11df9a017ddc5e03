import type { OrgRole } from '#shared/permissions.ts'
import { isOf, lookupQuery } from '../bulk.ts'
import { type Db, hotQuery } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'
import type { ConversationFacts } from './scope.ts'

/** One row with nulls: limited, and nobody has been granted anything. No row: everybody sees every conversation. */
const limits = hotQuery<{ orgId: string }, { role: string | null; tag_id: string | null }>((db, p) =>
  db
    .selectFrom('content_access_setting')
    .leftJoin('content_access', 'content_access.org_id', 'content_access_setting.org_id')
    .where('content_access_setting.org_id', '=', p.orgId)
    .where('content_access_setting.conversations', '=', 1)
    .select(['content_access.role', 'content_access.tag_id']),
)

/** Tags by role, where conversations are limited to them; null: they are not. */
export async function findLimits(db: Db, orgId: string): Promise<ReadonlyMap<string, readonly string[]> | null> {
  const rows = await limits(db, { orgId })
  if (!rows.length) return null
  const tags = new Map<string, string[]>()
  for (const { role, tag_id: tagId } of rows) {
    if (role === null || tagId === null) continue
    const known = tags.get(role)
    if (known) known.push(tagId)
    else tags.set(role, [tagId])
  }
  return tags
}

const factsById = lookupQuery<{ orgId: string }, { id: string; assignee_id: string | null; tag_id: string | null }>(
  (db, ids, { orgId }) =>
    db
      .selectFrom('conversation')
      .leftJoin('contact_tag', 'contact_tag.contact_id', 'conversation.contact_id')
      .where(isOf('conversation.org_id', orgId))
      .where('conversation.id', 'in', ids)
      .select(['conversation.id', 'conversation.assignee_id', 'contact_tag.tag_id']),
)

/** What decides who sees these conversations, by id; those that are gone are left out. */
export async function findFacts(
  db: Db,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ConversationFacts>> {
  const facts = new Map<string, { assigneeId: string | null; tagIds: Set<string> }>()
  if (!ids.length) return facts
  for (const row of await factsById(db, ids, { orgId })) {
    const known = facts.get(row.id) ?? { assigneeId: row.assignee_id, tagIds: new Set<string>() }
    if (row.tag_id !== null) known.tagIds.add(row.tag_id)
    facts.set(row.id, known)
  }
  return facts
}

/** The tags a role has been granted. */
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

/** The roles a tag was granted to. */
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

export interface Grant {
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

export async function saveLimited(db: OrgDb, orgId: string, conversations: boolean, at: string): Promise<void> {
  const values = { conversations: conversations ? 1 : 0, updated_at: at }
  await db
    .insertInto('content_access_setting')
    .values({ org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(values))
    .execute()
}

/** The people of an organization with their stored roles. */
export const listMembersByRole = (db: Db, orgId: string): Promise<{ userId: string; role: string }[]> =>
  db.selectFrom('member').select(['userId', 'role']).where('organizationId', '=', orgId).orderBy('userId').execute()

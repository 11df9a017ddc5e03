import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'

/** No organization has more owners. */
const maxOwners = 50

/** The owners' addresses and the organization's name. */
export const listOwners = (db: Db, orgId: string): Promise<{ email: string; org: string }[]> =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .where('member.organizationId', '=', orgId)
    .where('member.role', '=', 'owner')
    .select(['user.email', 'organization.name as org'])
    .orderBy('member.id')
    .limit(maxOwners)
    .execute()

/** The member who is to become owner; undefined: not a member, or banned. */
export const findNewOwner = (db: Db, orgId: string, userId: string): Promise<{ name: string } | undefined> =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', orgId)
    .where('member.userId', '=', userId)
    .where(eb => eb.or([eb('user.banned', 'is', null), eb('user.banned', '=', 0)]))
    .select('user.name')
    .executeTakeFirst()

export async function setRole(db: OrgDb, orgId: string, userId: string, role: OrgRole): Promise<void> {
  await db
    .updateTable('member')
    .set({ role })
    .where('organizationId', '=', orgId)
    .where('userId', '=', userId)
    .execute()
}

import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'

/** Nobody shares an organization among more. */
const mostOwners = 50

/** The owners of an organization and what it is called. */
export const listOwners = (db: Db, orgId: string): Promise<{ email: string; org: string }[]> =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .where('member.organizationId', '=', orgId)
    .where('member.role', '=', 'owner')
    .select(['user.email', 'organization.name as org'])
    .orderBy('member.id')
    .limit(mostOwners)
    .execute()

/** A member who can sign in; undefined: there is none. */
export const findHeir = (db: Db, orgId: string, userId: string): Promise<{ name: string } | undefined> =>
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

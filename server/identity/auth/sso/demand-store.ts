import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

export const findDemand = (db: Db, orgId: string): Promise<{ exemptUserId: string | null } | undefined> =>
  db.selectFrom('sso_demand').select('exempt_user_id as exemptUserId').where('org_id', '=', orgId).executeTakeFirst()

export async function saveDemand(db: OrgDb, orgId: string, exemptUserId: string, at: string): Promise<void> {
  await db
    .insertInto('sso_demand')
    .values({ org_id: orgId, exempt_user_id: exemptUserId, created_at: at })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet({ exempt_user_id: exemptUserId }))
    .execute()
}

export async function deleteDemand(db: OrgDb, orgId: string): Promise<void> {
  await db.deleteFrom('sso_demand').where('org_id', '=', orgId).execute()
}

/** No organization has more members. */
const maxMembers = 2_000

/** An organization's members, and since when each has an identity at one of its providers; null: never. */
export const listMembersWithIdentity = (db: Db, orgId: string) =>
  db
    .selectFrom('member')
    .select('member.userId')
    .select(eb =>
      eb
        .selectFrom('sso_identity')
        .innerJoin('sso_provider', 'sso_provider.id', 'sso_identity.provider_id')
        .select(inner => inner.fn.min('sso_identity.created_at').as('at'))
        .whereRef('sso_identity.user_id', '=', 'member.userId')
        .whereRef('sso_provider.org_id', '=', 'member.organizationId')
        .as('knownSince'),
    )
    .where('member.organizationId', '=', orgId)
    .limit(maxMembers)
    .execute()

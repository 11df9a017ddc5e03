import type { Db } from '#server/platform/db/database.ts'

export async function isSecondFactorRequired(db: Db, orgId: string): Promise<boolean> {
  const row = await db
    .selectFrom('org_settings')
    .select('second_factor_required')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row?.second_factor_required === 1
}

/** No organization has more members. */
const maxMembers = 2_000

/** Ids of the members without a second factor. */
export async function listMembersWithout(db: Db, orgId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member')
    .leftJoin('second_factor', 'second_factor.user_id', 'member.userId')
    .select('member.userId')
    .where('member.organizationId', '=', orgId)
    .where('second_factor.user_id', 'is', null)
    .limit(maxMembers)
    .execute()
  return rows.map(row => row.userId)
}

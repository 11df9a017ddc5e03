import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

export async function isSecondFactorRequired(db: Db, orgId: string): Promise<boolean> {
  const row = await db
    .selectFrom('org_settings')
    .select('second_factor_required')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row?.second_factor_required === 1
}

export async function saveSecondFactorRequired(
  db: OrgDb,
  orgId: string,
  isRequired: boolean,
  at: string,
): Promise<void> {
  const values = { second_factor_required: isRequired ? 1 : 0, updated_at: at }
  await db
    .insertInto('org_settings')
    .values({ org_id: orgId, time_zone: null, language: null, country: null, ...values })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(values))
    .execute()
}

/** More members no organization has. */
const mostMembers = 2_000

/** Ids of the members of an organization who have no second factor. */
export async function listMembersWithout(db: Db, orgId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member')
    .leftJoin('second_factor', 'second_factor.user_id', 'member.userId')
    .select('member.userId')
    .where('member.organizationId', '=', orgId)
    .where('second_factor.user_id', 'is', null)
    .limit(mostMembers)
    .execute()
  return rows.map(row => row.userId)
}

import type { Db } from '#server/platform/db/database.ts'
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

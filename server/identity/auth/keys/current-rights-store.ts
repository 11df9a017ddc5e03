import type { Db } from '#server/platform/db/database.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import type { CurrentRights } from '../acting-callers.ts'

/** Undefined: no rights any more. The person left or was banned; the key was deleted, disabled or has expired. */
export async function findCurrentRights(
  db: Db,
  orgId: string,
  { kind, id }: { kind: 'person' | 'key'; id: string },
  now: string,
): Promise<CurrentRights | undefined> {
  const members = db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', orgId)
    .where(eb => eb.or([eb('user.banned', 'is', null), eb('user.banned', '=', 0), eb('user.banExpires', '<', now)]))
    .select(['member.role', 'member.userId'])
  const row = await (kind === 'person'
    ? members.where('member.userId', '=', id)
    : members
        .innerJoin('apikey', 'apikey.member_id', 'member.id')
        .where('apikey.id', '=', id)
        .where('apikey.referenceId', '=', orgId)
        .where('apikey.enabled', '=', 1)
        .where(eb => eb.or([eb('apikey.expiresAt', 'is', null), eb('apikey.expiresAt', '>=', now)]))
  ).executeTakeFirst()
  return row && { role: effectiveRole(row.role), personId: row.userId }
}

import type { Db } from '#server/platform/db/database.ts'
import { effectiveRole, type OrgRole } from '#shared/kernel/permissions.ts'

/** With what rights somebody who once asked for something would act now. */
export interface Acting {
  readonly role: OrgRole
  /** Whose sight it is: of a key, its creator's. */
  readonly personId: string
}

/** Undefined: they may do nothing here any more, as they left, were banned, or the key is gone, off or expired. */
export async function findActing(
  db: Db,
  orgId: string,
  { kind, id }: { kind: 'person' | 'key'; id: string },
  now: string,
): Promise<Acting | undefined> {
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

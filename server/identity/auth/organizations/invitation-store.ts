import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'

export async function hasPendingInvitation(db: Db, email: string, now: string): Promise<boolean> {
  const row = await db
    .selectFrom('invitation')
    .select('id')
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** True if at least `count` pending invitations are valid at `now`. */
export async function hasOpenInvitations(db: Db, orgId: string, count: number, now: string): Promise<boolean> {
  const rows = await db
    .selectFrom('invitation')
    .select('id')
    .where('organizationId', '=', orgId)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', now)
    .limit(count)
    .execute()
  return rows.length >= count
}

export const isMemberByInvitation = async (db: Db, invitationId: string, userId: string): Promise<boolean> =>
  (await db
    .selectFrom('invitation')
    .innerJoin('member', 'member.organizationId', 'invitation.organizationId')
    .select('member.id')
    .where('invitation.id', '=', invitationId)
    .where('member.userId', '=', userId)
    .executeTakeFirst()) !== undefined

/**
 * Deletes all but the newest pending invitation of an address. The library looks for older ones before it writes, so
 * concurrent invitations do not see each other.
 */
export async function keepNewestInvitation(
  databases: Databases,
  orgId: string,
  email: string,
  at: string,
): Promise<void> {
  const [, ...older] = await databases.read
    .selectFrom('invitation')
    .select('id')
    .where('organizationId', '=', orgId)
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', at)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  if (!older.length) return
  const ids = older.map(({ id }) => id)
  await inTransaction(databases, trx =>
    trx
      .updateTable('invitation')
      .set({ status: 'canceled' })
      .where('id', 'in', ids)
      .where('status', '=', 'pending')
      .execute(),
  )
}

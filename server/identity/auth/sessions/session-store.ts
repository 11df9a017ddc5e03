import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { Language } from '#shared/kernel/language.ts'

/** The person and session of a token; nothing if the session has ended or the person is banned. */
export const findLiveSession = hotQuery((db, p: { token: string; now: string }) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .where('session.token', '=', p.token)
    .where('session.expiresAt', '>=', p.now)
    .where(eb => eb.or([eb('user.banned', 'is', null), eb('user.banned', '=', 0), eb('user.banExpires', '<', p.now)]))
    .select([
      'session.id as sessionId',
      'session.expiresAt',
      'session.createdAt',
      'session.updatedAt',
      'session.activeOrganizationId',
      'session.impersonatedBy',
      'session.halfSignedInBy',
      'session.ssoProviderId',
      'session.boundOrgId',
      'user.id as userId',
      'user.name',
      'user.email',
      'user.image',
      'user.signature',
      'user.language',
      'user.role',
    ]),
)

/** Records a session's use and extends it, unless it has been extended further meanwhile. */
export async function recordSessionUse(
  db: Db,
  sessionId: string,
  { usedAt, expiresAt }: { usedAt: string; expiresAt: string },
): Promise<void> {
  await db
    .updateTable('session')
    .set({ updatedAt: usedAt, expiresAt })
    .where('id', '=', sessionId)
    .where('expiresAt', '<=', expiresAt)
    .execute()
}

/** Records the language in which a person uses the interface. */
export async function recordLanguage(db: Db, userId: string, language: Language): Promise<void> {
  await db.updateTable('user').set({ language }).where('id', '=', userId).execute()
}

/** Unexpired sessions, last used first. @param boundOrgId only those made by this organization's providers */
export const listSessionsOf = (
  db: Db,
  userId: string,
  { now, limit, boundOrgId }: { now: string; limit: number; boundOrgId?: string | undefined },
) =>
  db
    .selectFrom('session')
    .select(['id', 'createdAt', 'updatedAt', 'ipAddress', 'userAgent', 'impersonatedBy', 'halfSignedInBy'])
    .where('userId', '=', userId)
    .where('expiresAt', '>=', now)
    .$if(boundOrgId !== undefined, query => query.where('boundOrgId', '=', boundOrgId as string))
    .orderBy('updatedAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function listOtherSessionIds(db: Db, userId: string, sessionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '!=', sessionId)
    .execute()
  return rows.map(row => row.id)
}

/** Undefined: the person has no such session. */
export const findSession = (db: Db, userId: string, sessionId: string) =>
  db
    .selectFrom('session')
    .select(['ipAddress', 'userAgent'])
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .executeTakeFirst()

/** Id of the session's person. */
export async function findSessionOwner(db: Db, sessionId: string): Promise<string | undefined> {
  return (await db.selectFrom('session').select('userId').where('id', '=', sessionId).executeTakeFirst())?.userId
}

/** False: the person has no such session. @param boundOrgId only one made by this organization's providers */
export async function deleteSession(
  db: Db,
  userId: string,
  sessionId: string,
  boundOrgId?: string | undefined,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .$if(boundOrgId !== undefined, query => query.where('boundOrgId', '=', boundOrgId as string))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes the sessions in which this administrator impersonates others; returns them. */
export const deleteImpersonatedSessions = (db: Db, adminId: string): Promise<{ id: string; userId: string }[]> =>
  db.deleteFrom('session').where('impersonatedBy', '=', adminId).returning(['id', 'userId']).execute()

/** Deletes the sessions that an organization's providers made for a person, except one; returns their ids. */
export async function deleteBoundSessions(
  db: Db,
  { userId, boundOrgId, except }: { userId: string; boundOrgId: string; except: string | null },
): Promise<string[]> {
  const rows = await db
    .deleteFrom('session')
    .where('userId', '=', userId)
    .where('boundOrgId', '=', boundOrgId)
    .where('id', '!=', except ?? '')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * The organization to open after sign-in: that of the latest session if the person is still in it, else the first one
 * joined.
 */
export async function findLastOrgId(db: Db, userId: string): Promise<string | undefined> {
  const last = await db
    .selectFrom('session')
    .innerJoin('member', join =>
      join
        .onRef('member.organizationId', '=', 'session.activeOrganizationId')
        .onRef('member.userId', '=', 'session.userId'),
    )
    .where('session.userId', '=', userId)
    .select('member.organizationId')
    .orderBy('session.updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last) return last.organizationId
  const first = await db
    .selectFrom('member')
    .where('userId', '=', userId)
    .select('organizationId')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first?.organizationId
}

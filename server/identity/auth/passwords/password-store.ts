import type { Db } from '#server/platform/db/database.ts'

/** better-auth's `providerId` of the account that holds a password. */
const providerId = 'credential'

const people = (db: Db) =>
  db
    .selectFrom('user')
    .leftJoin('account', join => join.onRef('account.userId', '=', 'user.id').on('account.providerId', '=', providerId))
    .select(['user.id as userId', 'user.email', 'user.name', 'user.username', 'account.password'])

/** @param name a username or mail address in lower case */
export const findPersonByName = (db: Db, name: string) =>
  people(db)
    .where(name.includes('@') ? 'user.email' : 'user.username', '=', name)
    .executeTakeFirst()

/** Undefined: the person no longer exists. */
export const findPasswordOf = (db: Db, userId: string) => people(db).where('user.id', '=', userId).executeTakeFirst()

export async function hasOtherUsername(db: Db, username: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('user')
    .select('id')
    .where('username', '=', username)
    .where('id', '!=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** @param username null removes it */
export async function setUsername(trx: Db, userId: string, username: string | null, at: string): Promise<void> {
  await trx.updateTable('user').set({ username, updatedAt: at }).where('id', '=', userId).execute()
}

export async function setPassword(
  trx: Db,
  { id, userId, hash, at }: { id: string; userId: string; hash: string; at: string },
): Promise<void> {
  await trx
    .insertInto('account')
    .values({ id, accountId: userId, providerId, userId, password: hash, createdAt: at, updatedAt: at })
    .onConflict(conflict => conflict.columns(['userId', 'providerId']).doUpdateSet({ password: hash, updatedAt: at }))
    .execute()
}

export async function deletePassword(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('account').where('userId', '=', userId).where('providerId', '=', providerId).execute()
}

/** The user agent that a session was created with. */
export async function findUserAgent(db: Db, sessionId: string): Promise<string | null> {
  const row = await db.selectFrom('session').select('userAgent').where('id', '=', sessionId).executeTakeFirst()
  return row?.userAgent ?? null
}

/** Deletes all sessions of a person except `sessionId`. */
export async function deleteOtherSessions(trx: Db, userId: string, sessionId: string): Promise<void> {
  await trx.deleteFrom('session').where('userId', '=', userId).where('id', '!=', sessionId).execute()
}

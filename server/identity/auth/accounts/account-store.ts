import type { Db } from '#server/platform/db/database.ts'

export const hasUser = async (db: Db, userId: string): Promise<boolean> =>
  (await db.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()) !== undefined

export async function findPersonName(db: Db, userId: string): Promise<string | undefined> {
  return (await db.selectFrom('user').select('name').where('id', '=', userId).executeTakeFirst())?.name
}

export async function hasUserWithEmail(db: Db, email: string): Promise<boolean> {
  return (await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()) !== undefined
}

/** Marks the address as verified: the person has entered a code mailed there. @param email in lower case */
export async function setEmail(trx: Db, userId: string, email: string, at: string): Promise<void> {
  await trx.updateTable('user').set({ email, emailVerified: 1, updatedAt: at }).where('id', '=', userId).execute()
}

/** Undefined: no role, or no such person. */
export async function findSiteRole(db: Db, userId: string): Promise<string | undefined> {
  return (await db.selectFrom('user').select('role').where('id', '=', userId).executeTakeFirst())?.role ?? undefined
}

export async function hasOtherSiteAdmin(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('user')
    .select('id')
    .where('role', '=', 'admin')
    .where('id', '!=', userId)
    .where(eb => eb.or([eb('banned', 'is', null), eb('banned', '=', 0)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Mail addresses of the site administrators. */
export async function listSiteAdminAddresses(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('user')
    .select('email')
    .where('role', '=', 'admin')
    .where(eb => eb.or([eb('banned', 'is', null), eb('banned', '=', 0)]))
    .orderBy('email')
    .limit(100)
    .execute()
  return rows.map(({ email }) => email)
}

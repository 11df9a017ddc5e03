import type { Db } from '#server/platform/db/database.ts'

export async function hasAnyUser(db: Db): Promise<boolean> {
  return (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function hasAnyOrganization(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('organization')
    .select('id')
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The single row that records who signed up first. Inserted if missing. */
export async function ensureInstallation(trx: Db, now: string) {
  await trx
    .insertInto('installation')
    .values({ id: 1, admin_user_id: null, first_org_user_id: null, created_at: now })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
  return trx.selectFrom('installation').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
}

export async function findFirstOrgClaim(db: Db): Promise<string | null> {
  const row = await db.selectFrom('installation').select('first_org_user_id').where('id', '=', 1).executeTakeFirst()
  return row?.first_org_user_id ?? null
}

export async function setFirstOrgClaim(trx: Db, userId: string): Promise<void> {
  await trx.updateTable('installation').set({ first_org_user_id: userId }).where('id', '=', 1).execute()
}

export async function setInstallationAdmin(trx: Db, userId: string): Promise<void> {
  await trx.updateTable('installation').set({ admin_user_id: userId }).where('id', '=', 1).execute()
  await trx.updateTable('user').set({ role: 'admin' }).where('id', '=', userId).execute()
}

export async function findOldestUserId(trx: Db): Promise<string | undefined> {
  return (await trx.selectFrom('user').select('id').orderBy('createdAt').orderBy('id').limit(1).executeTakeFirst())?.id
}

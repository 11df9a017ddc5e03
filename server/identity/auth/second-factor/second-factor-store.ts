import type { Db } from '#server/platform/db/database.ts'

/** With the encrypted secret of the authenticator app; undefined: no second factor. */
export const findSecondFactor = (db: Db, userId: string) =>
  db
    .selectFrom('second_factor')
    .select(['secret', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst()

export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  return (
    (await db.selectFrom('second_factor').select('user_id').where('user_id', '=', userId).executeTakeFirst()) !==
    undefined
  )
}

/** False: this or a later time step was already used. Of two concurrent uses of a code one gets true. */
export async function markTimeStepUsed(trx: Db, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function saveSecondFactor(
  trx: Db,
  factor: { userId: string; secret: string; step: number; at: string },
): Promise<void> {
  const values = { secret: factor.secret, last_step: factor.step, created_at: factor.at }
  await trx
    .insertInto('second_factor')
    .values({ user_id: factor.userId, ...values })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** Deletes backup codes and trusted devices too: they have no use without it. */
export async function deleteSecondFactor(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('second_factor').where('user_id', '=', userId).execute()
  await trx.deleteFrom('backup_code').where('user_id', '=', userId).execute()
  await trx.deleteFrom('trusted_device').where('user_id', '=', userId).execute()
}

/** The encrypted secret that was shown in this session and is not yet confirmed. */
export const findSetup = (db: Db, sessionId: string, now: string) =>
  db
    .selectFrom('second_factor_setup')
    .select('secret')
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', now)
    .executeTakeFirst()

export async function saveSetup(
  trx: Db,
  setup: { sessionId: string; secret: string; expiresAt: string },
): Promise<void> {
  const values = { secret: setup.secret, expires_at: setup.expiresAt }
  await trx
    .insertInto('second_factor_setup')
    .values({ session_id: setup.sessionId, ...values })
    .onConflict(conflict => conflict.column('session_id').doUpdateSet(values))
    .execute()
}

/** False: there was none. Of two concurrent confirmations one gets true. */
export async function deleteSetup(trx: Db, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('second_factor_setup')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function replaceBackupCodes(trx: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await trx.deleteFrom('backup_code').where('user_id', '=', userId).execute()
  await trx
    .insertInto('backup_code')
    .values(hashes.map(hash => ({ user_id: userId, hash })))
    .execute()
}

export async function countBackupCodes(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('backup_code')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** False: no such code. Each can be used once. */
export async function takeBackupCode(trx: Db, userId: string, hashes: readonly string[]): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('backup_code')
    .where('user_id', '=', userId)
    .where('hash', 'in', [...hashes])
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The first factor of a session that still needs the second; null: it is complete. Undefined: it has ended. */
export async function findHalfSignedInBy(db: Db, sessionId: string): Promise<string | null | undefined> {
  const row = await db.selectFrom('session').select('halfSignedInBy').where('id', '=', sessionId).executeTakeFirst()
  return row?.halfSignedInBy
}

/** Completes the sign-in under a new token. False: the session has ended, or was complete. */
export async function completeSession(
  trx: Db,
  sessionId: string,
  facts: { token: string; at: string; expiresAt: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('session')
    .set({ halfSignedInBy: null, token: facts.token, updatedAt: facts.at, expiresAt: facts.expiresAt })
    .where('id', '=', sessionId)
    .where('halfSignedInBy', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Names of the person's organizations that demand a second factor. @param boundOrgId checks only this organization */
export async function listDemandingOrgs(db: Db, userId: string, boundOrgId?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .innerJoin('org_settings', 'org_settings.org_id', 'organization.id')
    .where('member.userId', '=', userId)
    .where('org_settings.second_factor_required', '=', 1)
    .where('organization.deleted_at', 'is', null)
    .$if(boundOrgId !== undefined, query => query.where('organization.id', '=', boundOrgId as string))
    .select('organization.name')
    .orderBy('organization.name')
    .limit(200)
    .execute()
  return rows.map(row => row.name)
}

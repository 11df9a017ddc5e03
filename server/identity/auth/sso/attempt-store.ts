import type { Db } from '#server/platform/db/database.ts'

interface Attempt {
  readonly stateHash: string
  readonly providerId: string
  readonly browserHash: string
  readonly returnTo: string | null
  readonly expiresAt: string
}

export async function saveAttempt(db: Db, attempt: Attempt): Promise<void> {
  await db
    .insertInto('sso_attempt')
    .values({
      state_hash: attempt.stateHash,
      provider_id: attempt.providerId,
      browser_hash: attempt.browserHash,
      return_to: attempt.returnTo,
      expires_at: attempt.expiresAt,
    })
    .execute()
}

/** Deletes and returns the attempt, so that of two requests with the same state one gets it. */
export async function takeAttempt(trx: Db, stateHash: string): Promise<Attempt | undefined> {
  const row = await trx.deleteFrom('sso_attempt').where('state_hash', '=', stateHash).returningAll().executeTakeFirst()
  return (
    row && {
      stateHash: row.state_hash,
      providerId: row.provider_id,
      browserHash: row.browser_hash,
      returnTo: row.return_to,
      expiresAt: row.expires_at,
    }
  )
}

import type { Db } from '#server/platform/db/database.ts'

/** A code mailed for one purpose in one session. Its keyed hash is stored among better-auth's codes. */
interface SessionCode {
  readonly purpose: string
  readonly sessionId: string
  readonly hash: string
}

const identifierOf = ({ purpose, sessionId }: Pick<SessionCode, 'purpose' | 'sessionId'>): string =>
  `${purpose} ${sessionId}`

/** Replaces an earlier code for the same purpose and session. */
export async function saveSessionCode(
  trx: Db,
  code: SessionCode & { id: string; at: string; expiresAt: string },
): Promise<void> {
  const identifier = identifierOf(code)
  await trx.deleteFrom('verification').where('identifier', '=', identifier).execute()
  const { id, hash: value, at, expiresAt } = code
  await trx
    .insertInto('verification')
    .values({ id, identifier, value, expiresAt, createdAt: at, updatedAt: at })
    .execute()
}

export async function hasSessionCode(db: Db, code: SessionCode & { now: string }): Promise<boolean> {
  const row = await db
    .selectFrom('verification')
    .select('id')
    .where('identifier', '=', identifierOf(code))
    .where('value', '=', code.hash)
    .where('expiresAt', '>', code.now)
    .executeTakeFirst()
  return row !== undefined
}

/** False: no such code or, if `now` is given, it has expired. Of two concurrent uses one gets true. */
export async function takeSessionCode(trx: Db, code: SessionCode & { now?: string }): Promise<boolean> {
  const { now } = code
  const { numDeletedRows } = await trx
    .deleteFrom('verification')
    .where('identifier', '=', identifierOf(code))
    .where('value', '=', code.hash)
    .$if(now !== undefined, query => query.where('expiresAt', '>', now as string))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

import type { Db } from '#server/platform/db/database.ts'
import type { OauthCodeTable, OauthTokenTable } from './table.ts'

export const insertCode = async (
  trx: Db,
  orgId: string,
  code: Omit<OauthCodeTable, 'org_id' | 'used_at' | 'key_id'>,
): Promise<void> => {
  await trx
    .insertInto('oauth_code')
    .values({ ...code, org_id: orgId, used_at: null, key_id: null })
    .execute()
}

/** Codes of a member that can still be used. */
export async function countOpenCodes(db: Db, orgId: string, memberId: string, now: string): Promise<number> {
  const { count } = await db
    .selectFrom('oauth_code')
    .where('org_id', '=', orgId)
    .where('member_id', '=', memberId)
    .where('expires_at', '>', now)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Used or not. */
export const findCode = (db: Db, hash: string) =>
  db.selectFrom('oauth_code').selectAll().where('code_hash', '=', hash).executeTakeFirst()

/** Marks a code as used and returns it. Of two concurrent uses, only one gets it. */
export const takeCode = (trx: Db, orgId: string, hash: string, now: string) =>
  trx
    .updateTable('oauth_code')
    .set({ used_at: now })
    .where('code_hash', '=', hash)
    .where('org_id', '=', orgId)
    .where('used_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Records which key a code made. */
export async function bindCode(trx: Db, orgId: string, hash: string, keyId: string): Promise<void> {
  await trx
    .updateTable('oauth_code')
    .set({ key_id: keyId })
    .where('code_hash', '=', hash)
    .where('org_id', '=', orgId)
    .execute()
}

/** A token, ended or not, with the client of its program. */
export const findToken = (db: Db, hash: string) =>
  db
    .selectFrom('oauth_token')
    .innerJoin('oauth_program', 'oauth_program.key_id', 'oauth_token.key_id')
    .innerJoin('apikey', 'apikey.id', 'oauth_token.key_id')
    .select([
      'oauth_token.org_id as orgId',
      'oauth_token.key_id as keyId',
      'oauth_token.kind',
      'oauth_token.expires_at as expiresAt',
      'oauth_program.client_hash as clientHash',
      'apikey.name',
      'apikey.permissions',
    ])
    .where('oauth_token.hash', '=', hash)
    .executeTakeFirst()

export async function insertTokens(
  trx: Db,
  orgId: string,
  keyId: string,
  tokens: readonly Pick<OauthTokenTable, 'hash' | 'kind' | 'expires_at'>[],
): Promise<void> {
  await trx
    .insertInto('oauth_token')
    .values(tokens.map(token => ({ ...token, org_id: orgId, key_id: keyId, replaced_at: null })))
    .execute()
}

/** Marks a refresh token as exchanged. Returns the time of its first exchange. Undefined: there is no such token. */
export async function replaceToken(trx: Db, orgId: string, hash: string, now: string): Promise<string | undefined> {
  await trx
    .updateTable('oauth_token')
    .set({ replaced_at: now })
    .where('hash', '=', hash)
    .where('org_id', '=', orgId)
    .where('replaced_at', 'is', null)
    .execute()
  const row = await trx
    .selectFrom('oauth_token')
    .select('replaced_at')
    .where('hash', '=', hash)
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row?.replaced_at ?? undefined
}

export async function deleteToken(trx: Db, orgId: string, hash: string): Promise<void> {
  await trx.deleteFrom('oauth_token').where('hash', '=', hash).where('org_id', '=', orgId).execute()
}

/** Deletes all tokens of a program and kind but those that end last. */
export async function trimTokens(
  trx: Db,
  orgId: string,
  keyId: string,
  { kind, keep }: { kind: OauthTokenTable['kind']; keep: number },
): Promise<void> {
  const kept = await trx
    .selectFrom('oauth_token')
    .select('hash')
    .where('key_id', '=', keyId)
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .orderBy('expires_at', 'desc')
    .orderBy('hash')
    .limit(keep)
    .execute()
  await trx
    .deleteFrom('oauth_token')
    .where('key_id', '=', keyId)
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where(
      'hash',
      'not in',
      kept.map(({ hash }) => hash),
    )
    .execute()
}

/** Moves the end of a program to that of its newest refresh token. */
export async function extendProgram(trx: Db, orgId: string, keyId: string, endsAt: string): Promise<void> {
  await trx
    .updateTable('oauth_program')
    .set({ ends_at: endsAt })
    .where('key_id', '=', keyId)
    .where('org_id', '=', orgId)
    .execute()
}

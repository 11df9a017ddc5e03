import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import { liveKeys, programKind } from '../keys/api-key-store.ts'
import { meetsSsoDemand } from '../sso/demand-condition.ts'

/** Programs whose member may use them now. One that was let in by another sign-in than the organization demands may not. */
const livePrograms = (db: Db, now: string) =>
  liveKeys(db, now)
    .innerJoin('oauth_program', 'oauth_program.key_id', 'apikey.id')
    .where(eb =>
      meetsSsoDemand(eb, {
        orgId: 'organization.id',
        userId: 'member.userId',
        role: 'member.role',
        providerId: 'oauth_program.sso_provider_id',
      }),
    )

/** The program with this access token. Nothing: the token has ended, or the program may not be used now. */
export const findLiveProgram = hotQuery((db, p: { hash: string; now: string }) =>
  livePrograms(db, p.now)
    .innerJoin('oauth_token', 'oauth_token.key_id', 'apikey.id')
    .where('oauth_token.hash', '=', p.hash)
    .where('oauth_token.kind', '=', 'access')
    .where('oauth_token.expires_at', '>', p.now),
)

export async function isLiveProgram(db: Db, orgId: string, keyId: string, now: string): Promise<boolean> {
  const row = await livePrograms(db, now)
    .where('apikey.id', '=', keyId)
    .where('organization.id', '=', orgId)
    .executeTakeFirst()
  return row !== undefined
}

interface NewProgram {
  readonly id: string
  readonly memberId: string
  readonly clientHash: string
  readonly name: string
  readonly host: string
  readonly ssoProviderId: string | null
  /** JSON. */
  readonly permissions: string
  /** The hash of a random text that is not kept, because the key opens nothing by itself. */
  readonly keyHash: string
  readonly at: string
  readonly endsAt: string
}

export async function insertProgram(trx: Db, orgId: string, program: NewProgram): Promise<void> {
  const { id, at } = program
  await trx
    .insertInto('apikey')
    .values({
      id,
      configId: programKind,
      name: program.name,
      referenceId: orgId,
      key: program.keyHash,
      enabled: 1,
      rateLimitEnabled: 0,
      requestCount: 0,
      createdAt: at,
      updatedAt: at,
      permissions: program.permissions,
      member_id: program.memberId,
    } as never)
    .execute()
  await trx
    .insertInto('oauth_program')
    .values({
      key_id: id,
      org_id: orgId,
      client_hash: program.clientHash,
      host: program.host,
      sso_provider_id: program.ssoProviderId,
      ends_at: program.endsAt,
    })
    .execute()
}

/** With its tokens and the record of its calls. */
export async function deleteProgram(trx: Db, orgId: string, id: string): Promise<void> {
  await trx
    .deleteFrom('apikey')
    .where('id', '=', id)
    .where('referenceId', '=', orgId)
    .where('configId', '=', programKind)
    .execute()
}

/** The same client connected again by the same member replaces what it had. */
export async function deleteProgramsOf(
  trx: Db,
  orgId: string,
  { memberId, clientHash }: { memberId: string; clientHash: string },
): Promise<void> {
  await trx
    .deleteFrom('apikey')
    .where('referenceId', '=', orgId)
    .where('member_id', '=', memberId)
    .where('id', 'in', db =>
      db.selectFrom('oauth_program').select('key_id').where('org_id', '=', orgId).where('client_hash', '=', clientHash),
    )
    .execute()
}

/** Programs of an organization, and of one of its members. A connection with this client is not counted. */
export async function countPrograms(
  db: Db,
  orgId: string,
  { memberId, clientHash }: { memberId: string; clientHash: string },
): Promise<{ ofOrg: number; ofMember: number }> {
  const rows = await db
    .selectFrom('oauth_program')
    .innerJoin('apikey', 'apikey.id', 'oauth_program.key_id')
    .where('oauth_program.org_id', '=', orgId)
    .where(eb => eb.or([eb('apikey.member_id', '!=', memberId), eb('oauth_program.client_hash', '!=', clientHash)]))
    .select('apikey.member_id as memberId')
    .execute()
  return { ofOrg: rows.length, ofMember: rows.filter(row => row.memberId === memberId).length }
}

const listed = (db: Db) =>
  db
    .selectFrom('oauth_program')
    .innerJoin('apikey', 'apikey.id', 'oauth_program.key_id')
    .leftJoin('member', 'member.id', 'apikey.member_id')
    .leftJoin('user', 'user.id', 'member.userId')
    .innerJoin('organization', 'organization.id', 'oauth_program.org_id')
    .where('organization.deleted_at', 'is', null)
    .select([
      'apikey.id',
      'apikey.name',
      'apikey.permissions',
      'apikey.createdAt',
      'apikey.lastRequest',
      'oauth_program.host',
      'organization.id as orgId',
      'organization.name as orgName',
      'organization.slug as orgSlug',
      'user.name as connectedBy',
    ])
    .orderBy('apikey.createdAt', 'desc')
    .orderBy('apikey.id', 'desc')

export type ListedProgram = Awaited<ReturnType<typeof listProgramsOfOrg>>[number]

/** Newest first. */
export const listProgramsOfOrg = (db: Db, orgId: string, limit: number) =>
  listed(db).where('oauth_program.org_id', '=', orgId).limit(limit).execute()

/** Newest first, in all organizations. */
export const listProgramsOfPerson = (db: Db, userId: string, limit: number): Promise<ListedProgram[]> =>
  listed(db).where('member.userId', '=', userId).limit(limit).execute()

export const findProgramOfOrg = (db: Db, orgId: string, id: string): Promise<ListedProgram | undefined> =>
  listed(db).where('oauth_program.org_id', '=', orgId).where('apikey.id', '=', id).executeTakeFirst()

export const findProgramOfPerson = (db: Db, userId: string, id: string): Promise<ListedProgram | undefined> =>
  listed(db).where('member.userId', '=', userId).where('apikey.id', '=', id).executeTakeFirst()

export async function findMemberId(db: Db, orgId: string, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', orgId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.id
}

/**
 * Across all organizations, because it is cleaning up: deletes up to `limit` rows of each kind. Programs go when their
 * tokens have ended or their member has left.
 */
export async function deleteEndedPrograms(trx: Db, at: Date, limit: number): Promise<number> {
  const now = at.toISOString()
  const dayBefore = new Date(at.getTime() - 86_400_000).toISOString()
  const ended = await trx.selectFrom('oauth_program').select('key_id').where('ends_at', '<', now).limit(limit).execute()
  const left = await trx
    .selectFrom('apikey')
    .select('id as key_id')
    .where('member_id', 'is', null)
    .where('configId', '=', programKind)
    .limit(limit)
    .execute()
  const keyIds = [...ended, ...left].map(({ key_id }) => key_id)
  if (keyIds.length) await trx.deleteFrom('apikey').where('id', 'in', keyIds).execute()
  const tokens = await trx
    .deleteFrom('oauth_token')
    .where('hash', 'in', db => db.selectFrom('oauth_token').select('hash').where('expires_at', '<', now).limit(limit))
    .executeTakeFirst()
  // Kept for a day, because a second use of a code ends the program that the first one connected.
  const codes = await trx
    .deleteFrom('oauth_code')
    .where('code_hash', 'in', db =>
      db.selectFrom('oauth_code').select('code_hash').where('expires_at', '<', dayBefore).limit(limit),
    )
    .executeTakeFirst()
  return keyIds.length + Number(tokens.numDeletedRows) + Number(codes.numDeletedRows)
}

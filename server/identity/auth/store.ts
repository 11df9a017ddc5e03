import type { Db } from '#server/platform/db/database.ts'
import { type Databases, hotQuery, inTransaction } from '#server/platform/db/db.ts'
import { longestWindowMs } from './budget.ts'

/** The signed-in person behind a session token; nothing when it has ended or its person is banned. */
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
      'user.role',
    ]),
)

/** Notes that a session is used and moves its end, unless it is gone or was moved further meanwhile. */
export async function noteSessionUse(
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

/** The live sessions of a person, the last used first; `boundOrgId`: only those that providers of this organization made. */
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

/** The live sessions of a person but one. */
export async function listOtherSessionIds(db: Db, userId: string, sessionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '!=', sessionId)
    .execute()
  return rows.map(row => row.id)
}

/** Undefined: this person has no such session. */
export const findSession = (db: Db, userId: string, sessionId: string) =>
  db
    .selectFrom('session')
    .select(['ipAddress', 'userAgent'])
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .executeTakeFirst()

/** Id of the person whose session it is. */
export async function findSessionOwner(db: Db, sessionId: string): Promise<string | undefined> {
  return (await db.selectFrom('session').select('userId').where('id', '=', sessionId).executeTakeFirst())?.userId
}

export const hasUser = async (db: Db, userId: string): Promise<boolean> =>
  (await db.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()) !== undefined

/** Answers whether this person had such a session; `boundOrgId`: one that a provider of this organization made. */
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

/** Ends the sessions in which somebody acts as others; answers them. */
export const deleteBorrowedSessions = (db: Db, adminId: string): Promise<{ id: string; userId: string }[]> =>
  db.deleteFrom('session').where('impersonatedBy', '=', adminId).returning(['id', 'userId']).execute()

/** The API keys that somebody made; bounded by what an organization may have. */
export async function listKeyIdsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('apikey')
    .innerJoin('member', 'member.id', 'apikey.member_id')
    .where('member.userId', '=', userId)
    .select('apikey.id')
    .limit(5_000)
    .execute()
  return rows.map(({ id }) => id)
}

export async function findPersonName(db: Db, userId: string): Promise<string | undefined> {
  return (await db.selectFrom('user').select('name').where('id', '=', userId).executeTakeFirst())?.name
}

export async function hasUserWithEmail(db: Db, email: string): Promise<boolean> {
  return (await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()) !== undefined
}

/** @param email in lower case; who has it has read mail there. */
export async function setEmail(trx: Db, userId: string, email: string, at: string): Promise<void> {
  await trx.updateTable('user').set({ email, emailVerified: 1, updatedAt: at }).where('id', '=', userId).execute()
}

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

/** Id of the organization that an invitation is to. */
export async function findOrgOfInvitation(db: Db, invitationId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('invitation')
    .select('organizationId')
    .where('id', '=', invitationId)
    .executeTakeFirst()
  return row?.organizationId
}

/** Id of the organization that a team is of. */
export async function findOrgOfTeam(db: Db, teamId: string): Promise<string | undefined> {
  return (await db.selectFrom('team').select('organizationId').where('id', '=', teamId).executeTakeFirst())
    ?.organizationId
}

/** Id of the organization that a membership is of. */
export async function findOrgOfMembership(db: Db, memberId: string): Promise<string | undefined> {
  return (await db.selectFrom('member').select('organizationId').where('id', '=', memberId).executeTakeFirst())
    ?.organizationId
}

/** Whether a person is more than a member of one organization: in another, or an administrator of the site. */
export async function belongsElsewhere(db: Db, userId: string, orgId: string): Promise<boolean> {
  const other = await db
    .selectFrom('member')
    .select('id')
    .where('userId', '=', userId)
    .where('organizationId', '!=', orgId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined || (await findSiteRole(db, userId)) === 'admin'
}

/** Ends the sessions that an organization's providers made for a person, but one; answers their ids. */
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

/** Id of the organization that an API key is of. */
export async function findOrgOfKey(db: Db, keyId: string): Promise<string | undefined> {
  return (await db.selectFrom('apikey').select('referenceId').where('id', '=', keyId).executeTakeFirst())?.referenceId
}

/** The single row that says who was first; made when it is missing. */
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

/** Where a person left off: the organization of the latest session, else the first one joined; only current ones. */
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

export async function hasOrganizationWithSlug(db: Db, slug: string): Promise<boolean> {
  return (await db.selectFrom('organization').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined
}

/** A person's role on the whole site as it is stored; undefined: none, or nobody. */
export async function findSiteRole(db: Db, userId: string): Promise<string | undefined> {
  return (await db.selectFrom('user').select('role').where('id', '=', userId).executeTakeFirst())?.role ?? undefined
}

/**
 * Who owns each organization that a person owns, without those who are banned. Bounded by the organizations a person
 * may be in and their few owners.
 */
export const listFellowOwners = (db: Db, userId: string) =>
  db
    .selectFrom('member as own')
    .innerJoin('member as fellow', 'fellow.organizationId', 'own.organizationId')
    .innerJoin('organization', 'organization.id', 'own.organizationId')
    .where('own.userId', '=', userId)
    .innerJoin('user as person', 'person.id', 'fellow.userId')
    .where('own.role', '=', 'owner')
    .where('fellow.role', '=', 'owner')
    // Whoever else is banned manages nothing.
    .where(eb =>
      eb.or([eb('fellow.userId', '=', userId), eb('person.banned', 'is', null), eb('person.banned', '=', 0)]),
    )
    .select(['organization.id as orgId', 'organization.name', 'fellow.userId'])
    .orderBy('organization.name')
    .limit(2_000)
    .execute()

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

/** Where those who administer the site are written to. */
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

/** Organizations that a person belongs to; bounded by how many one may be in. */
export async function listOrgIdsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member')
    .select('organizationId')
    .where('userId', '=', userId)
    .limit(2_000)
    .execute()
  return rows.map(row => row.organizationId)
}

const flowsKeptMs = 3_600_000
const invitationsKeptMs = 365 * 24 * 3_600_000

/** Deletes up to so many of each that has ended: sessions, codes nobody used and who asked for them, counted tries, trust in browsers, set-ups. Answers how many rows went: fewer, then all have. */
export async function deleteEnded(trx: Db, at: Date, limit: number): Promise<number> {
  const now = at.toISOString()
  const oldestInvitation = new Date(at.getTime() - invitationsKeptMs).toISOString()
  const oldestFlow = new Date(at.getTime() - flowsKeptMs).toISOString()
  const farthestWindow = new Date(at.getTime() + longestWindowMs + flowsKeptMs).toISOString()
  const counts = [
    await trx
      .deleteFrom('session')
      .where('id', 'in', db => db.selectFrom('session').select('id').where('expiresAt', '<', now).limit(limit))
      .executeTakeFirst(),
    await trx
      .deleteFrom('verification')
      .where('id', 'in', db => db.selectFrom('verification').select('id').where('expiresAt', '<', now).limit(limit))
      .executeTakeFirst(),
    await trx
      .deleteFrom('sign_in_budget')
      .where('key', 'in', db =>
        db
          .selectFrom('sign_in_budget')
          .select('key')
          // What ends later than any window can was counted by a clock that ran ahead.
          .where(eb => eb.or([eb('window_ends_at', '<', now), eb('window_ends_at', '>', farthestWindow)]))
          .limit(limit),
      )
      .executeTakeFirst(),
    await trx
      .deleteFrom('sign_in_flow')
      .where('id', 'in', db =>
        db.selectFrom('sign_in_flow').select('id').where('asked_at', '<', oldestFlow).limit(limit),
      )
      .executeTakeFirst(),
    await trx
      .deleteFrom('trusted_device')
      .where('id', 'in', db => db.selectFrom('trusted_device').select('id').where('expires_at', '<', now).limit(limit))
      .executeTakeFirst(),
    // Whoever was invited and did not come sees it that long; who did come is a member.
    await trx
      .deleteFrom('invitation')
      .where('id', 'in', db =>
        db.selectFrom('invitation').select('id').where('expiresAt', '<', oldestInvitation).limit(limit),
      )
      .executeTakeFirst(),
    await trx
      .deleteFrom('sso_attempt')
      .where('state_hash', 'in', db =>
        db.selectFrom('sso_attempt').select('state_hash').where('expires_at', '<', now).limit(limit),
      )
      .executeTakeFirst(),
    await trx
      .deleteFrom('second_factor_setup')
      .where('session_id', 'in', db =>
        db.selectFrom('second_factor_setup').select('session_id').where('expires_at', '<', now).limit(limit),
      )
      .executeTakeFirst(),
  ]
  return counts.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0)
}

/** Whether an organization has so many invitations that nobody has answered and that hold at `now`. */
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

/** Whether somebody is in the organization that an invitation is to. */
export const isMemberByInvitation = async (db: Db, invitationId: string, userId: string): Promise<boolean> =>
  (await db
    .selectFrom('invitation')
    .innerJoin('member', 'member.organizationId', 'invitation.organizationId')
    .select('member.id')
    .where('invitation.id', '=', invitationId)
    .where('member.userId', '=', userId)
    .executeTakeFirst()) !== undefined

/**
 * Of the invitations of one address that are open, takes back all but the newest: the library looks for older ones before
 * it writes, so that several at once would not see each other. Whoever writes last leaves one.
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

import type { Db } from '#server/platform/db/database.ts'

/** The person with this `sub` at a provider; undefined: never signed in there. */
export const findIdentity = (db: Db, providerId: string, subject: string) =>
  db
    .selectFrom('sso_identity')
    .innerJoin('user', 'user.id', 'sso_identity.user_id')
    .select(['user.id', 'user.email', 'user.name', 'user.banned', 'user.banExpires'])
    .where('sso_identity.provider_id', '=', providerId)
    .where('sso_identity.subject', '=', subject)
    .executeTakeFirst()

export const findPersonByEmail = (db: Db, email: string) =>
  db
    .selectFrom('user')
    .select(['id', 'email', 'name', 'banned', 'banExpires'])
    .where('email', '=', email)
    .executeTakeFirst()

export type FoundPerson = NonNullable<Awaited<ReturnType<typeof findPersonByEmail>>>

/** True if the person has signed in with this provider before. */
export const hasIdentityAt = async (db: Db, providerId: string, userId: string): Promise<boolean> =>
  (await db
    .selectFrom('sso_identity')
    .select('subject')
    .where('user_id', '=', userId)
    .where('provider_id', '=', providerId)
    .executeTakeFirst()) !== undefined

export async function insertIdentity(
  trx: Db,
  identity: { providerId: string; subject: string; userId: string; at: string },
): Promise<void> {
  await trx
    .insertInto('sso_identity')
    .values({
      provider_id: identity.providerId,
      subject: identity.subject,
      user_id: identity.userId,
      created_at: identity.at,
    })
    .execute()
}

/** @param person address in lower case; `isVerified`: a DNS-verified provider vouches for it */
export async function insertPerson(
  trx: Db,
  person: { id: string; name: string; email: string; isVerified: boolean; at: string },
): Promise<void> {
  await trx
    .insertInto('user')
    .values({
      id: person.id,
      name: person.name,
      email: person.email,
      emailVerified: person.isVerified ? 1 : 0,
      image: null,
      createdAt: person.at,
      updatedAt: person.at,
      role: 'user',
      banned: 0,
      banReason: null,
      banExpires: null,
    })
    .execute()
}

export const isMember = async (db: Db, orgId: string, userId: string): Promise<boolean> =>
  (await db
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', orgId)
    .where('userId', '=', userId)
    .executeTakeFirst()) !== undefined

export async function countMembers(db: Db, orgId: string): Promise<number> {
  const { count } = await db
    .selectFrom('member')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('organizationId', '=', orgId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertMember(
  trx: Db,
  member: { id: string; orgId: string; userId: string; role: string; at: string },
): Promise<void> {
  await trx
    .insertInto('member')
    .values({
      id: member.id,
      organizationId: member.orgId,
      userId: member.userId,
      role: member.role,
      createdAt: member.at,
    })
    .execute()
}

/** Adds a member to a team. Also updates the team's member count, which better-auth keeps. */
export async function insertTeamMember(
  trx: Db,
  member: { id: string; teamId: string; userId: string; at: string },
): Promise<void> {
  await trx
    .insertInto('teamMember')
    .values({ id: member.id, teamId: member.teamId, userId: member.userId, membershipKey: null, createdAt: member.at })
    .execute()
  await trx
    .updateTable('team')
    .set(eb => ({ memberCount: eb('memberCount', '+', 1) }))
    .where('id', '=', member.teamId)
    .execute()
}

interface NewSession {
  readonly id: string
  readonly token: string
  readonly userId: string
  readonly orgId: string
  readonly providerId: string
  /** The only organization that the session may open; null: all of the person's. */
  readonly boundOrgId: string | null
  readonly isHalf: boolean
  readonly ip: string
  readonly userAgent: string | null
  readonly at: string
  readonly expiresAt: string
}

export async function insertSession(trx: Db, session: NewSession): Promise<void> {
  await trx
    .insertInto('session')
    .values({
      id: session.id,
      token: session.token,
      userId: session.userId,
      activeOrganizationId: session.orgId,
      activeTeamId: null,
      ssoProviderId: session.providerId,
      boundOrgId: session.boundOrgId,
      halfSignedInBy: session.isHalf ? 'sso' : null,
      impersonatedBy: null,
      ipAddress: session.ip,
      userAgent: session.userAgent,
      createdAt: session.at,
      updatedAt: session.at,
      expiresAt: session.expiresAt,
    })
    .execute()
}

import { randomBytes } from 'node:crypto'
import { cookieKey, sessionCookieName, signedCookieValue } from '#server/identity/auth/sessions/cookie.ts'
import { seesAll } from '#server/identity/visibility/scope.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole, type OrgRole } from '#shared/kernel/permissions.ts'
import { slugOf } from '#shared/orgs/api.ts'

/** The secret with which tests sign cookies. Pass it to `createAuth`, otherwise the cookies are not accepted. */
export const testSecret = 'a-secret-for-tests-only-3f9c1e7d5b2a8064'

/** The default address of test installations. */
export const testPublicUrl = 'http://localhost:3000'

export interface APerson {
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
  /** The value of a `cookie` header. */
  readonly cookie: string
  /** The same cookie in parts, for a browser's cookie jar. */
  readonly sessionCookie: { readonly name: string; readonly value: string }
  readonly token: string
  readonly person: Person
}

export interface AMember extends APerson {
  readonly org: { readonly id: string; readonly slug: string; readonly name: string }
  readonly member: Member
}

interface PersonOptions {
  databases: Databases
  name?: string
  email?: string
  siteRole?: 'admin' | 'user'
  language?: Language
  secret?: string
  publicUrl?: string
  /** Active organization of the session. */
  activeOrgId?: string | null
  sessionDays?: number
}

/** Inserts a signed-in person without an organization. */
export async function aPerson(options: PersonOptions): Promise<APerson> {
  const { databases, name = 'Ana Prueba', siteRole = 'user', language = 'es', activeOrgId = null } = options
  const email = options.email ?? `${newId()}@example.com`
  const userId = newId()
  const sessionId = newId()
  const token = randomBytes(24).toString('base64url')
  const now = new Date()
  const at = now.toISOString()
  await inTransaction(databases, async trx => {
    await trx
      .insertInto('user')
      .values({
        id: userId,
        name,
        email,
        emailVerified: 1,
        image: null,
        createdAt: at,
        updatedAt: at,
        role: siteRole,
        // As if they had been here before: a first request would write it.
        language,
        banned: 0,
        banReason: null,
        banExpires: null,
      })
      .execute()
    await trx
      .insertInto('session')
      .values({
        id: sessionId,
        token,
        userId,
        createdAt: at,
        updatedAt: at,
        ipAddress: null,
        userAgent: null,
        expiresAt: new Date(now.getTime() + (options.sessionDays ?? 30) * 86_400_000).toISOString(),
        activeOrganizationId: activeOrgId,
        activeTeamId: null,
        impersonatedBy: null,
      })
      .execute()
  })
  const sessionCookie = {
    name: sessionCookieName(options.publicUrl ?? testPublicUrl),
    value: signedCookieValue(token, cookieKey(options.secret ?? testSecret)),
  }
  const person: Person = {
    kind: 'person',
    userId,
    name,
    email,
    image: null,
    siteRole,
    sessionId,
    activeOrgId,
    language,
  }
  return {
    user: { id: userId, name, email },
    token,
    sessionCookie,
    cookie: `${sessionCookie.name}=${sessionCookie.value}`,
    person,
  }
}

interface MemberOptions extends Omit<PersonOptions, 'activeOrgId'> {
  role?: OrgRole | (string & {})
  orgName?: string
  slug?: string
  /** An existing organization; absent: a new one. */
  org?: { readonly id: string; readonly slug: string; readonly name: string }
}

/** Inserts a signed-in member of an organization (a new one unless given), which is the session's active one. */
export async function aMember(options: MemberOptions): Promise<AMember> {
  const { databases, role = 'owner', orgName = 'Panadería Don Luis' } = options
  const at = new Date().toISOString()
  const org = options.org ?? {
    id: newId(),
    name: orgName,
    slug: options.slug ?? `${slugOf(orgName).slice(0, 24)}-${newId().slice(-8)}`,
  }
  const planted = await aPerson({ ...options, activeOrgId: org.id })
  await inTransaction(databases, async trx => {
    if (!options.org)
      await trx
        .insertInto('organization')
        .values({ id: org.id, name: org.name, slug: org.slug, logo: null, createdAt: at, metadata: null })
        .execute()
    await trx
      .insertInto('member')
      .values({ id: newId(), organizationId: org.id, userId: planted.user.id, role, createdAt: at })
      .execute()
  })
  const member: Member = {
    ...planted.person,
    orgId: org.id,
    orgSlug: org.slug,
    orgName: org.name,
    role: effectiveRole(role),
    scope: seesAll,
  }
  return { ...planted, org, member }
}

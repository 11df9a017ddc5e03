import { newId } from '#server/platform/crypto/ids.ts'
import { randomToken } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import type { AccessLog } from '../accounts/access-log.ts'
import type { CredentialNotices } from '../accounts/credential-notices.ts'
import { halfSessionMs, sessionIdleMs } from '../sessions/session.ts'
import { deleteSession } from '../sessions/session-store.ts'
import type { Claimed } from './claims.ts'
import { domainOfEmail } from './domain.ts'
import { SsoRefused } from './failure.ts'
import {
  countMembers,
  type FoundPerson,
  findIdentity,
  findPersonByEmail,
  hasIdentityAt,
  insertIdentity,
  insertMember,
  insertPerson,
  insertSession,
  insertTeamMember,
  isMember,
} from './person-store.ts'
import { findOrgName, type ProviderRow } from './provider-store.ts'

/** The limit that better-auth has for members of an organization. */
const maxMembers = 1000
const tokenBytes = 24
const userAgentMaxChars = 512

interface NewcomerParts extends AccessLog {
  readonly databases: Databases
  readonly clock: Clock
  readonly notices: Pick<CredentialNotices, 'add' | 'wake'>
  asksSecondFactor(userId: string, cookie: string | undefined): Promise<boolean>
}

interface Visit {
  readonly ip: string
  readonly userAgent: string | null
  readonly cookie: string | undefined
  readonly language: Language
  /** The browser's session before this sign-in. */
  readonly session: Person | null
}

/** True for a complete session that the person's own code or password began. */
const isSignedInAs = (session: Person | null, userId: string): session is Person =>
  session?.userId === userId &&
  session.boundOrgId === undefined &&
  !session.secondFactorMissing &&
  session.impersonatedBy === undefined

interface Admitted {
  readonly userId: string
  readonly token: string
  readonly joinedTeamId: string | null
}

/** Finds or creates the person, the membership and the session for a sign-in by a provider, in one commit. */
export type Admit = (provider: ProviderRow, claimed: Claimed, visit: Visit) => Promise<Admitted>

const isBanned = ({ banned, banExpires }: FoundPerson, now: string) =>
  banned === 1 && (banExpires === null || banExpires >= now)

export function createAdmit(parts: NewcomerParts): Admit {
  const { databases, clock, notices, asksSecondFactor, onAccess, onJoining } = parts

  /**
   * Finds the person to sign in. A known `sub` decides. For an unknown `sub` the provider may create an account, but an
   * existing account is linked only if the domain is verified by DNS and the browser is signed in as that person. A
   * known `sub` counts only while the person's address is in the provider's domain, and one address has one `sub`.
   */
  const identifyPerson = async (trx: Db, provider: ProviderRow, claimed: Claimed, session: Person | null) => {
    const { id, domain, domain_proof: domainProof } = provider
    const known = await findIdentity(trx, id, claimed.subject)
    if (known) {
      if (domainOfEmail(known.email) !== domain)
        throw new SsoRefused('otherAccount', 'the person has another address now')
      return { person: known, isKnown: true }
    }
    const person = await findPersonByEmail(trx, claimed.email)
    if (person && (await hasIdentityAt(trx, id, person.id)))
      throw new SsoRefused('otherAccount', 'the address belongs to another account at the provider')
    if (person && domainProof !== 'dns')
      throw new SsoRefused('domainUnproven', 'the account exists, and the domain is not verified by DNS')
    if (person && !isSignedInAs(session, person.id))
      throw new SsoRefused('ownSignIn', 'the account exists, and the browser is not signed in as it')
    return { person, isKnown: false }
  }

  const join = async (trx: Db, provider: ProviderRow, userId: string, at: string) => {
    const { org_id: orgId, team_id: teamId } = provider
    if (await isMember(trx, orgId, userId)) return undefined
    if ((await countMembers(trx, orgId)) >= maxMembers) throw new SsoRefused('full', 'the organization is full')
    const role = effectiveRole(provider.role)
    await insertMember(trx, { id: newId(), orgId, userId, role, at })
    if (teamId !== null) await insertTeamMember(trx, { id: newId(), teamId, userId, at })
    return { orgId, role, teamId }
  }

  return async (provider, claimed, { ip, userAgent, cookie, language, session }) => {
    const before = await findPersonByEmail(databases.read, claimed.email)
    const known = await findIdentity(databases.read, provider.id, claimed.subject)
    const existing = known ?? before
    // A person who is signed in by their own means keeps that status.
    const isOwn = existing !== undefined && isSignedInAs(session, existing.id)
    const isHalf = existing !== undefined && !isOwn && (await asksSecondFactor(existing.id, cookie))
    const token = randomToken(tokenBytes)
    const admitted = await inTransaction(databases, async trx => {
      const at = isoNow(clock)
      const { person, isKnown } = await identifyPerson(trx, provider, claimed, session)
      if (person && isBanned(person, at)) throw new SsoRefused('banned', 'the person is banned')
      const userId = person?.id ?? newId()
      // A domain verified by mail proves nothing about single addresses.
      const isVerified = provider.domain_proof === 'dns'
      if (!person) await insertPerson(trx, { id: userId, name: claimed.name, email: claimed.email, isVerified, at })
      if (!isKnown) await insertIdentity(trx, { providerId: provider.id, subject: claimed.subject, userId, at })
      const joined = await join(trx, provider, userId, at)
      if (session?.userId === userId) await deleteSession(trx, userId, session.sessionId)
      const sessionId = newId()
      await insertSession(trx, {
        id: sessionId,
        token,
        userId,
        orgId: provider.org_id,
        providerId: provider.id,
        boundOrgId: isOwn && person?.id === existing?.id ? null : provider.org_id,
        isHalf,
        ip,
        userAgent: userAgent === null ? null : userAgent.slice(0, userAgentMaxChars),
        at,
        expiresAt: isoIn(clock, isHalf ? halfSessionMs : sessionIdleMs),
      })
      if (joined) await onJoining?.(trx, { userId, sessionId, ...joined })
      if (!isKnown) {
        const addressee = { email: person?.email ?? claimed.email, language, sessionId }
        await notices.add(trx, addressee, person ? 'ssoLinked' : 'ssoCreated', {
          org: await findOrgName(trx, provider.org_id),
        })
      }
      if (!isHalf) await onAccess?.(trx, { userId, sessionId, action: 'signedInBySso' })
      return { userId, token, joinedTeamId: joined?.teamId ?? null }
    })
    notices.wake()
    return admitted
  }
}

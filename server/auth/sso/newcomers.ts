import { effectiveRole } from '#shared/permissions.ts'
import { type Clock, isoIn, isoNow } from '../../clock.ts'
import { type Databases, type Db, inTransaction } from '../../db.ts'
import { newId } from '../../ids.ts'
import { randomToken } from '../../random.ts'
import type { AccessLog } from '../access-log.ts'
import { halfSessionMs, sessionIdleMs } from '../session.ts'
import { deleteSession } from '../store.ts'
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
  noteEmailVerified,
} from './person-store.ts'
import type { ProviderRow } from './provider-store.ts'

/** As many as better-auth lets into an organization. */
const mostMembers = 1000
const tokenBytes = 24
const userAgentMaxChars = 512

interface NewcomerParts extends AccessLog {
  readonly databases: Databases
  readonly clock: Clock
  asksSecondFactor(userId: string, cookie: string | undefined): Promise<boolean>
}

interface Visit {
  readonly ip: string
  readonly userAgent: string | null
  readonly cookie: string | undefined
  /** The session the browser had until now. */
  readonly session: { readonly userId: string; readonly sessionId: string } | null
}

export interface Admitted {
  readonly userId: string
  readonly token: string
  /** The team they are in from now on. */
  readonly joinedTeamId: string | null
}

/** Lets in whom an active provider has shown: finds or makes the person, the membership and the session, in one commit. */
export type Admit = (provider: ProviderRow, claimed: Claimed, visit: Visit) => Promise<Admitted>

const isBanned = ({ banned, banExpires }: FoundPerson, now: string) =>
  banned === 1 && (banExpires === null || banExpires >= now)

export function createAdmit({ databases, clock, asksSecondFactor, onAccess, onJoining }: NewcomerParts): Admit {
  /**
   * The provider's own id of a person decides once it is known; before, the address, which it has seen to be theirs. A
   * known id counts only while the person's address is the provider's to give, and an address has one id.
   */
  const identifyPerson = async (trx: Db, { id, domain }: ProviderRow, claimed: Claimed) => {
    const known = await findIdentity(trx, id, claimed.subject)
    if (known) {
      if (domainOfEmail(known.email) !== domain) throw new SsoRefused('otherAccount', 'their address is another by now')
      return { person: known, isKnown: true }
    }
    const person = await findPersonByEmail(trx, claimed.email)
    if (person && (await hasIdentityAt(trx, id, person.id)))
      throw new SsoRefused('otherAccount', 'the address is of another account of the provider')
    return { person, isKnown: false }
  }

  const join = async (trx: Db, provider: ProviderRow, userId: string, at: string) => {
    const { org_id: orgId, team_id: teamId } = provider
    if (await isMember(trx, orgId, userId)) return undefined
    if ((await countMembers(trx, orgId)) >= mostMembers) throw new SsoRefused('full', 'the organization is full')
    const role = effectiveRole(provider.role)
    await insertMember(trx, { id: newId(), orgId, userId, role, at })
    if (teamId !== null) await insertTeamMember(trx, { id: newId(), teamId, userId, at })
    return { orgId, role, teamId }
  }

  return async (provider, claimed, { ip, userAgent, cookie, session }) => {
    const before = await findPersonByEmail(databases.read, claimed.email)
    const known = await findIdentity(databases.read, provider.id, claimed.subject)
    const existing = known ?? before
    const isHalf = existing !== undefined && (await asksSecondFactor(existing.id, cookie))
    const token = randomToken(tokenBytes)
    return inTransaction(databases, async trx => {
      const at = isoNow(clock)
      const { person, isKnown } = await identifyPerson(trx, provider, claimed)
      if (person && isBanned(person, at)) throw new SsoRefused('banned', 'the person is banned')
      const userId = person?.id ?? newId()
      if (!person) await insertPerson(trx, { id: userId, name: claimed.name, email: claimed.email, at })
      else if (!isKnown) await noteEmailVerified(trx, userId, at)
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
        isHalf,
        ip,
        userAgent: userAgent === null ? null : userAgent.slice(0, userAgentMaxChars),
        at,
        expiresAt: isoIn(clock, isHalf ? halfSessionMs : sessionIdleMs),
      })
      if (joined) await onJoining?.(trx, { userId, sessionId, ...joined })
      if (!isHalf) await onAccess?.(trx, { userId, sessionId, action: 'signedInBySso' })
      return { userId, token, joinedTeamId: joined?.teamId ?? null }
    })
  }
}

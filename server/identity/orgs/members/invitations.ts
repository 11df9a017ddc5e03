import type { Config } from '#server/platform/config/config.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller, Person, Visitor } from '#server/platform/http/actor.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import type { InvitationStatus, invitationsApi, ReceivedInvitation } from '#shared/orgs/invitations.ts'
import { orgErrors } from '../errors.ts'
import {
  findInvitation,
  hasValidInvitation,
  type InvitationCard,
  isMemberByEmail,
  listReceived,
  listSent,
  recordRenewal,
  teamNames,
} from './invitation-store.ts'
import { findMemberRole } from './store.ts'

interface InvitationsParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly config: Pick<Config, 'mail'>
  readonly writes: Pick<Writes, 'run'>
}

type Api = typeof invitationsApi

export type Invitations = ServiceOf<Pick<Api, 'listReceived'>, Person> &
  ServiceOf<Pick<Api, 'getLinked' | 'askAgain'>, Visitor | Person> &
  ServiceOf<Pick<Api, 'listSent'>, OrgCaller> & {
    /** Notifies the inviter that the person joined; nothing if the invitation is gone. */
    announceAccepted(invitationId: string, newcomer: string): Promise<void>
  }

const dayMs = 86_400_000
/** Asking for a new invitation is allowed this often. */
const askAgainEveryMs = dayMs

/** `maria@example.com` becomes `ma•••@…`: enough for its owner to recognize, too little for others. */
export const maskedEmail = (email: string): string => {
  const name = [...(email.split('@')[0] ?? '')]
  return `${name.slice(0, name.length > 2 ? 2 : 1).join('')}•••@…`
}

const statusAt = (card: Pick<InvitationCard, 'status' | 'expiresAt'>, now: string): InvitationStatus => {
  if (card.status === 'pending') return card.expiresAt <= now ? 'expired' : 'pending'
  return card.status === 'accepted' || card.status === 'rejected' ? card.status : 'canceled'
}

const teamIdsOf = (card: InvitationCard) => card.teamId?.split(',').filter(Boolean) ?? []

const organizationOf = (card: InvitationCard) => ({
  id: card.orgId,
  name: card.orgName,
  slug: card.orgSlug,
  logo: card.orgLogo,
})

const personOf = (actor: Visitor | Person): Person | undefined => ('userId' in actor ? actor : undefined)

/** Invitations for inviters and invited people; better-auth sends, accepts, rejects and cancels them. */
export function createInvitations(parts: InvitationsParts): Invitations {
  const { databases, clock, config, writes } = parts

  const teamOf = (card: InvitationCard, names: ReadonlyMap<string, string>): string | null =>
    teamIdsOf(card)
      .flatMap(id => names.get(id) ?? [])
      .join(', ') || null

  /** @throws ORGS_INVITATION_NOT_FOUND */
  const require = async (db: Db, id: string): Promise<InvitationCard> => {
    const card = await findInvitation(db, id)
    if (!card) throw orgErrors.INVITATION_NOT_FOUND()
    return card
  }

  return {
    async listReceived({ email, boundOrgId }) {
      const now = isoNow(clock)
      // A session made by an organization's provider does not see invitations of others.
      const cards = boundOrgId === undefined ? await listReceived(databases.read, email) : []
      const names = await teamNames(databases.read, [...new Set(cards.flatMap(teamIdsOf))])
      const items = cards.map(
        (card): ReceivedInvitation => ({
          id: card.id,
          organization: organizationOf(card),
          inviter: { name: card.inviterName },
          role: effectiveRole(card.role ?? ''),
          team: teamOf(card, names),
          createdAt: card.createdAt,
          expiresAt: card.expiresAt,
          status: statusAt(card, now),
        }),
      )
      return { items }
    },

    async getLinked(actor, { params: { id } }) {
      const card = await findInvitation(databases.read, id)
      if (!card) return { invitation: null }
      const signedIn = personOf(actor)
      const person = signedIn?.boundOrgId === undefined || signedIn.boundOrgId === card.orgId ? signedIn : undefined
      const mine = person?.email.toLowerCase() === card.email.toLowerCase()
      const names = mine ? await teamNames(databases.read, teamIdsOf(card)) : new Map<string, string>()
      const member =
        person !== undefined && (await findMemberRole(databases.read, card.orgId, person.userId)) !== undefined
      return {
        invitation: {
          id: card.id,
          organization: organizationOf(card),
          email: mine ? card.email : maskedEmail(card.email),
          status: statusAt(card, isoNow(clock)),
          mine,
          member,
          details: mine
            ? {
                inviter: card.inviterName,
                role: effectiveRole(card.role ?? ''),
                team: teamOf(card, names),
                expiresAt: card.expiresAt,
              }
            : null,
        },
      }
    },

    /**
     * Sends a new invitation to the same address. Everybody with the link may call it, because in an invitation-only
     * installation a person with an expired invitation cannot sign in.
     */
    async askAgain(_actor, { params: { id } }) {
      const now = clock.now()
      const at = now.toISOString()
      const { orgId, inviterId, email, orgName } = await require(databases.read, id)
      await writes.run(orgId, { kind: 'system', id: 'invitation', name: email }, async ({ db, emit }) => {
        if (await isMemberByEmail(db, orgId, email)) throw orgErrors.INVITATION_NOT_NEEDED()
        if (await hasValidInvitation(db, orgId, email, at)) throw orgErrors.INVITATION_STILL_VALID()
        if (!(await recordRenewal(db, id, at, new Date(now.getTime() - askAgainEveryMs).toISOString())))
          throw orgErrors.INVITATION_ASKED_ALREADY()
        emit({ type: 'invitation.renewalAsked', data: { invitationId: id, inviterId, email, organization: orgName } })
      })
      return { asked: true }
    },

    async listSent({ orgId }) {
      const now = isoNow(clock)
      const rows = await listSent(databases.read, orgId)
      return {
        hasMailServer: config.mail.smtpUrl !== undefined,
        items: rows.map(row => ({
          ...row,
          role: effectiveRole(row.role ?? ''),
          status: row.expiresAt <= now ? ('expired' as const) : ('pending' as const),
        })),
      }
    },

    async announceAccepted(invitationId, newcomer) {
      const card = await findInvitation(databases.read, invitationId)
      if (!card) return
      const { orgId, inviterId, orgName } = card
      await writes.run(orgId, { kind: 'person', id: null, name: newcomer }, async ({ emit }) =>
        emit({ type: 'member.joined', data: { invitationId, inviterId, name: newcomer, organization: orgName } }),
      )
    },
  }
}

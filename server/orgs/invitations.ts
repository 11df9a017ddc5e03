import type { ServiceOf } from '#shared/contract.ts'
import type { InvitationStatus, invitationsApi, ReceivedInvitation } from '#shared/invitations.ts'
import type { Language } from '#shared/language.ts'
import { effectiveRole, roleCan, rolesWith } from '#shared/permissions.ts'
import type { Member, Person, Visitor } from '../actor.ts'
import { type Clock, isoNow } from '../clock.ts'
import { type Databases, type Db, inTransaction } from '../db.ts'
import type { EventDraft, LiveLog } from '../live/hub.ts'
import type { Notifications } from '../notifications/service.ts'
import { orgErrors } from './errors.ts'
import {
  findInvitation,
  hasValidInvitation,
  type InvitationCard,
  isMemberByEmail,
  listReceived,
  listSent,
  noteRenewal,
  teamNames,
} from './invitation-store.ts'
import { findMemberRole } from './member-store.ts'

export interface InvitationsParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly live: LiveLog
  readonly notifications: Pick<Notifications, 'notify' | 'notifyRoles'>
  translate(language: Language, key: string, params?: Record<string, string | number>): string
}

type Api = typeof invitationsApi

export type Invitations = ServiceOf<Pick<Api, 'listReceived'>, Person> &
  ServiceOf<Pick<Api, 'getLinked' | 'askAgain'>, Visitor | Person> &
  ServiceOf<Pick<Api, 'listSent'>, Member> & {
    /** Tells whoever invited that somebody came; nothing when they are gone. */
    announceAccepted(invitationId: string, newcomer: string): Promise<void>
  }

const dayMs = 86_400_000
/** A new invitation in place of an old one can be asked for this often. */
const askAgainEveryMs = dayMs

/** `maria@example.com` → `ma•••@…`: enough for its owner, too little for anybody else. */
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

/** Invitations from both ends; better-auth sends, accepts, rejects and cancels them. */
export function createInvitations(parts: InvitationsParts): Invitations {
  const { databases, clock, live, notifications, translate } = parts

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

  /** What is stored is Spanish; readers of other languages get `words`. */
  const noticeOf = (key: string, params: Record<string, string>) => ({
    title: translate('es', `notices:${key}.title`, params),
    message: translate('es', `notices:${key}.message`, params),
    words: { key, params },
  })

  /** To the inviter while they may still invite, else to whoever may. */
  const tellInviter = async (
    trx: Db,
    card: InvitationCard,
    key: string,
    params: Record<string, string>,
  ): Promise<EventDraft[]> => {
    const role = await findMemberRole(trx, card.orgId, card.inviterId)
    const notice = noticeOf(key, params)
    return role !== undefined && roleCan(effectiveRole(role), 'member:manage')
      ? notifications.notify(trx, card.orgId, { ...notice, userIds: [card.inviterId] })
      : notifications.notifyRoles(trx, card.orgId, rolesWith('member:manage'), notice)
  }

  return {
    async listReceived({ email }) {
      const now = isoNow(clock)
      const cards = await listReceived(databases.read, email)
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
      const person = personOf(actor)
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
     * For everybody who holds the link, signed in or not: where people come in by invitation only, whoever has an
     * expired one could never sign in to ask. The new one goes to the address of the old.
     */
    async askAgain(_actor, { params: { id } }) {
      const now = clock.now()
      const at = now.toISOString()
      const events = await inTransaction(databases, async trx => {
        const card = await require(trx, id)
        if (await isMemberByEmail(trx, card.orgId, card.email)) throw orgErrors.INVITATION_NOT_NEEDED()
        if (await hasValidInvitation(trx, card.orgId, card.email, at)) throw orgErrors.INVITATION_STILL_VALID()
        if (!(await noteRenewal(trx, id, at, new Date(now.getTime() - askAgainEveryMs).toISOString())))
          throw orgErrors.INVITATION_ASKED_ALREADY()
        const drafts = await tellInviter(trx, card, 'invitationAsked', { email: card.email, org: card.orgName })
        return live.record(trx, card.orgId, drafts)
      })
      live.publish(events)
      return { asked: true }
    },

    async listSent({ orgId }) {
      const now = isoNow(clock)
      const rows = await listSent(databases.read, orgId)
      return {
        items: rows.map(row => ({
          ...row,
          role: effectiveRole(row.role ?? ''),
          status: row.expiresAt <= now ? ('expired' as const) : ('pending' as const),
        })),
      }
    },

    async announceAccepted(invitationId, newcomer) {
      const events = await inTransaction(databases, async trx => {
        const card = await findInvitation(trx, invitationId)
        if (!card) return []
        const drafts = await tellInviter(trx, card, 'invitationAccepted', { name: newcomer, org: card.orgName })
        return live.record(trx, card.orgId, drafts)
      })
      live.publish(events)
    },
  }
}

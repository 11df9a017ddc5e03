import type { Databases } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { AppError, appErrors } from '#server/platform/http/errors.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { emailMax } from '#shared/auth/email-change.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import type { AuthAnswer, AuthAnswers, AuthCall } from '../calls/call.ts'
import { contextOf, type Forward } from '../calls/forward.ts'
import { UpdateOrganization } from '../calls/schemas.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import type { Streams } from '../sessions/streams.ts'
import type { Budgets } from '../sign-in/budget.ts'
import { isMemberByInvitation, keepNewestInvitation } from './invitation-store.ts'
import { hasOrganizationWithSlug } from './membership-store.ts'
import type { OrganizationEffects } from './organization-effects.ts'

interface OrganizationParts extends OrganizationEffects {
  readonly databases: Databases
  readonly log: Log
  readonly budgets: Budgets
  readonly forward: Forward
  readonly streams: Streams
}

interface MemberReply {
  readonly organizationId?: string
  readonly userId?: string
  readonly role?: string
}

/** Notifies a person's former organizations that the person has left. */
export async function announceLeave(
  { onLeft, log }: Pick<OrganizationEffects, 'onLeft'> & { readonly log: Log },
  userId: string,
  orgIds: readonly string[],
  by: Person | null,
): Promise<void> {
  for (const orgId of orgIds)
    try {
      await onLeft?.(orgId, { kind: 'person', id: userId }, by)
    } catch (error) {
      log.error({ err: errorFacts(error), orgId }, 'notifying the organization of a leaving member failed')
    }
}

const readUpdateOrganization = readerOf('body', UpdateOrganization)

const readReply = async <T>(reply: Response): Promise<T> => (await reply.clone().json()) as T

/** The calls about organizations, their members and invitations. */
export function createOrganizationCalls(parts: OrganizationParts): AuthAnswers {
  const { databases, log, budgets, forward, streams } = parts

  /** The library shows pending invitations to every member; we show addresses only to those who may invite. */
  const mayManageMembers = async (call: AuthCall, orgId: string) => {
    const member = await call.member(orgId)
    return member !== undefined && roleCan(member.role, 'member:manage')
  }

  /** Two people who take the same address at once both pass the library's check; the unique column stops one. */
  const withSlug = async (call: AuthCall) => {
    try {
      return await forward(call)
    } catch (error) {
      const { slug } = ((call.path === '/organization/update' ? call.body.data : call.body) ?? {}) as { slug?: unknown }
      const failed = error instanceof AppError && error.status >= 500
      if (failed && typeof slug === 'string' && (await hasOrganizationWithSlug(databases.read, slug)))
        throw authErrors.ORGANIZATION_SLUG_ALREADY_TAKEN({ cause: error })
      throw error
    }
  }

  /** The library does not check whether a person is already a member, for example by another invitation. */
  const withMembership = async (call: AuthCall) => {
    try {
      return await forward(call)
    } catch (error) {
      const { invitationId } = call.body
      const failed = error instanceof AppError && error.status >= 500
      const asks = failed && call.person && typeof invitationId === 'string'
      if (asks && (await isMemberByInvitation(databases.read, invitationId, call.person.userId)))
        throw authErrors.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION({ cause: error })
      throw error
    }
  }

  const announceRole = async (orgId: string, userId: string, by: Person | null) => {
    try {
      await parts.onRoleChanged?.(orgId, userId, by)
    } catch (error) {
      log.error({ err: errorFacts(error), orgId }, 'notifying the organization of a role change failed')
    }
  }

  /** Ends the streams of a person who left, was removed or may not read any more, before the reply is sent. */
  const endingStreams: AuthAnswer = async call => {
    const leaves = call.path === '/organization/leave' ? call.body.organizationId : undefined
    if (call.person && typeof leaves === 'string' && (await call.member(leaves))?.orgId === leaves)
      await parts.onLeaving?.(leaves, { kind: 'person', id: call.person.userId })
    const reply = await forward(call)
    const answer = await readReply<MemberReply & { member?: MemberReply }>(reply)
    const { organizationId, userId, role } = answer.member ?? answer
    const staysReader = call.path === '/organization/update-member-role' && roleCan(effectiveRole(role), 'chat:read')
    if (organizationId && userId && !staysReader) streams.dropMember(organizationId, userId)
    if (organizationId && userId && call.path !== '/organization/update-member-role')
      await announceLeave(parts, userId, [organizationId], call.person)
    else if (organizationId && userId) await announceRole(organizationId, userId, call.person)
    return reply
  }

  return {
    '/organization/create': withSlug,
    '/organization/update': async call => {
      readUpdateOrganization(call.body)
      const { organizationId, data } = call.body as { organizationId?: string; data: { slug?: string } }
      const org = organizationId ?? call.person?.activeOrgId
      const member = org ? await call.member(org) : undefined
      const mayChange = member?.kind === 'person' && roleCan(member.role, 'org:update')
      // The library refuses callers without the right.
      if (!mayChange) return withSlug(call)
      const { slug } = data
      const renames = slug !== undefined && slug !== member.orgSlug
      await parts.onChanging?.(member.orgId, renames ? { slug } : {})
      const reply = await withSlug(call)
      try {
        await parts.onChanged?.(member.orgId, renames ? { slug } : {}, member)
      } catch (error) {
        log.error({ err: errorFacts(error), orgId: member.orgId }, 'announcing a change of the organization failed')
      }
      return reply
    },

    '/organization/get-full-organization': async call => {
      const reply = await forward(call)
      const org = await readReply<{ id: string } | null>(reply)
      if (!org || (await mayManageMembers(call, org.id))) return reply
      return Response.json({ ...org, invitations: [] }, reply)
    },

    '/organization/list-invitations': async call => {
      const reply = await forward(call)
      const [first] = await readReply<{ organizationId: string }[]>(reply)
      return !first || (await mayManageMembers(call, first.organizationId)) ? reply : Response.json([], reply)
    },

    // Deletion is done by jobs in batches: a million messages in one statement would block all writes. The library
    // refuses callers without the right.
    '/organization/delete': async call => {
      const { organizationId } = call.body
      const member = typeof organizationId === 'string' ? await call.member(organizationId) : undefined
      const mayDelete = member?.orgId === organizationId && member !== undefined && roleCan(member.role, 'org:delete')
      if (mayDelete && call.person?.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
      if (!mayDelete) return forward(call)
      const org = await parts.removeOrganization(member.orgId, call.person as Person)
      return Response.json(org ?? null, { headers: { 'cache-control': 'no-store' } })
    },

    '/organization/leave': endingStreams,
    '/organization/remove-member': endingStreams,
    '/organization/update-member-role': endingStreams,

    '/organization/accept-invitation': async call => {
      const { invitationId } = call.body
      const reply = await withMembership(call)
      if (parts.onJoined && typeof invitationId === 'string')
        try {
          await parts.onJoined(invitationId, call.person?.name ?? '')
        } catch (error) {
          log.error({ err: errorFacts(error) }, 'notifying the inviter of a new member failed')
        }
      return reply
    },

    '/organization/invite-member': async call => {
      if (!call.person) throw appErrors.SIGN_IN_REQUIRED()
      const { email } = call.body
      // The library accepts addresses of any length.
      if (typeof email === 'string' && email.length > emailMax)
        throw authErrors.INVALID_EMAIL({ fields: ['body.email'] })
      await refuseExhausted(budgets, [budgets.invite(call.person.userId)], authErrors.TOO_MANY_INVITATIONS)
      const context = contextOf(call)
      const reply = await forward(call, context)
      const made = await readReply<{ organizationId: string; email: string; createdAt: string }>(reply)
      await keepNewestInvitation(databases, made.organizationId, made.email, made.createdAt)
      if (context.mailFailure !== undefined) throw authErrors.INVITATION_NOT_MAILED({ cause: context.mailFailure })
      return reply
    },
  }
}

import type { Static } from 'typebox'
import type { Databases } from '#server/platform/db/db.ts'
import { AppError, appErrors } from '#server/platform/http/errors.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { AuthAnswer, AuthAnswers, AuthCall } from '../calls/call.ts'
import { contextOf, type Forward } from '../calls/forward.ts'
import { DeleteUser } from '../calls/schemas.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import { listFellowOwners, listKeyIdsOf, listOrgIdsOf } from '../organizations/membership-store.ts'
import { announceLeave } from '../organizations/organization-calls.ts'
import type { OrganizationEffects } from '../organizations/organization-effects.ts'
import { requireOwnAccount } from '../sessions/bound-sessions.ts'
import { deleteImpersonatedSessions, deleteSession } from '../sessions/session-store.ts'
import type { Streams } from '../sessions/streams.ts'
import type { Budgets } from '../sign-in/budget.ts'
import type { AccessLog } from './access-log.ts'
import { findSiteRole, hasOtherSiteAdmin } from './account-store.ts'

interface AccountParts extends Pick<OrganizationEffects, 'onLeaving' | 'onLeft'>, AccessLog {
  readonly log: Log
  readonly databases: Databases
  readonly budgets: Budgets
  readonly forward: Forward
  readonly streams: Streams
}

const readDeleteUser = readerOf('body', DeleteUser)

/** The calls of people about their own accounts, and of site administrators about the accounts of others. */
export function createAccountCalls(parts: AccountParts): AuthAnswers {
  const { databases, budgets, forward, streams } = parts

  /**
   * The database refuses this too, but only after sessions and accounts are deleted.
   * @throws AUTH_LAST_OWNER, AUTH_LAST_SITE_ADMIN: without this person nobody could manage an organization or the site.
   */
  const requireDispensable = async (userId: string, call: AuthCall) => {
    const owners = await listFellowOwners(databases.read, userId)
    const shared = new Set(owners.flatMap(owner => (owner.userId === userId ? [] : owner.orgId)))
    const alone = owners.filter(owner => owner.userId === userId && !shared.has(owner.orgId)).map(({ name }) => name)
    if (alone.length)
      throw authErrors.LAST_OWNER({ params: { organizations: new Intl.ListFormat(call.language).format(alone) } })
    const isSiteAdmin = (await findSiteRole(databases.read, userId)) === 'admin'
    if (isSiteAdmin && !(await hasOtherSiteAdmin(databases.read, userId))) throw authErrors.LAST_SITE_ADMIN()
  }

  const beforeLeaving = async (userId: string): Promise<string[]> => {
    const orgIds = await listOrgIdsOf(databases.read, userId)
    for (const orgId of orgIds) await parts.onLeaving?.(orgId, { kind: 'person', id: userId })
    return orgIds
  }

  /** Ends the sessions in which this person impersonates others, when their own right to do so ends. */
  const endImpersonatedSessions = async (userId: string) => {
    for (const session of await deleteImpersonatedSessions(databases.write, userId))
      streams.dropUser(session.userId, session.id)
  }

  /** Forwards a call that ends all sessions of a person, and also closes their live streams and impersonations. */
  const endingStreamsOf: AuthAnswer = async call => {
    const reply = await forward(call)
    const { userId } = call.body
    if (typeof userId !== 'string') return reply
    streams.dropUser(userId)
    await endImpersonatedSessions(userId)
    return reply
  }

  return {
    // The library would accept a username from anybody at an open session; our own call asks for a password or code
    // (`passwords.ts`).
    '/update-user': async call => {
      if ('username' in call.body || 'displayUsername' in call.body) throw authErrors.FIELD_NOT_ALLOWED()
      if (call.person) await requireOwnAccount(databases.read, call.person)
      return forward(call)
    },
    '/delete-user': async call => {
      const { person } = call
      if (!person) throw appErrors.SIGN_IN_REQUIRED()
      if (person.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
      await requireOwnAccount(databases.read, person)
      const { token } = readDeleteUser(call.body) as Static<typeof DeleteUser>
      await requireDispensable(person.userId, call)
      if (token !== undefined) {
        const orgIds = await beforeLeaving(person.userId)
        const reply = await forward(call, contextOf(call), { token })
        streams.dropUser(person.userId)
        await announceLeave(parts, person.userId, orgIds, person)
        return reply
      }
      const letters = budgets.accountDeletion(person.userId)
      await refuseExhausted(budgets, [letters], authErrors.TOO_MANY_LETTERS)
      const context = contextOf(call)
      const reply = await forward(call, context, {})
      if (context.mailFailure === undefined) return reply
      await budgets.giveBack([letters])
      throw authErrors.DELETION_NOT_MAILED({ cause: context.mailFailure })
    },

    '/admin/remove-user': async call => {
      const { userId } = call.body
      // Callers without the right get the library's refusal, not this one.
      if (call.person?.siteRole === 'admin' && typeof userId === 'string') await requireDispensable(userId, call)
      const mayRemove = call.person?.siteRole === 'admin' && typeof userId === 'string'
      const orgIds = mayRemove ? await beforeLeaving(userId) : []
      const reply = await endingStreamsOf(call)
      if (mayRemove) await announceLeave(parts, userId, orgIds, call.person)
      return reply
    },
    '/admin/ban-user': async call => {
      const reply = await endingStreamsOf(call)
      // The banned person's API keys are refused from now on; their streams end too.
      for (const keyId of await listKeyIdsOf(databases.read, String(call.body.userId))) streams.dropUser(keyId)
      return reply
    },
    '/admin/set-role': async call => {
      const reply = await forward(call)
      if (call.body.role !== 'admin') await endImpersonatedSessions(String(call.body.userId))
      return reply
    },
    '/admin/stop-impersonating': async call => {
      const { person } = call
      if (!person?.impersonatedBy) return forward(call)
      try {
        return await forward(call)
      } catch (error) {
        // The administrator's own session has ended meanwhile, so there is no session to return to.
        if (!(error instanceof AppError) || error.status < 500) throw error
        await deleteSession(databases.write, person.userId, person.sessionId)
        throw appErrors.SIGN_IN_REQUIRED({ cause: error })
      } finally {
        streams.dropUser(person.userId, person.sessionId)
      }
    },
    '/admin/revoke-user-sessions': endingStreamsOf,
  }
}

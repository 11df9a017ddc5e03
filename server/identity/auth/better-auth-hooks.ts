import type { BetterAuthOptions } from 'better-auth'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { type AccessLog, accessOfSignIn } from './accounts/access-log.ts'
import { personName, refusal, refuseUsername, requirePicture, requireSiteRole } from './better-auth-rules.ts'
import type { CallContexts } from './calls/call-context.ts'
import { authErrors } from './errors.ts'
import { halfSessionMs, sessionIdleMs } from './sessions/session.ts'
import { findLastOrgId } from './sessions/session-store.ts'
import type { FirstFactor } from './sign-in/first-factor.ts'
import type { SignUpPolicy } from './sign-in/policy.ts'

type Hooks = NonNullable<BetterAuthOptions['databaseHooks']>

export interface SessionHookParts extends Pick<AccessLog, 'onAccess'> {
  readonly databases: Databases
  readonly log: Log
  readonly contexts: CallContexts
  /** True if this sign-in needs a second factor. `cookie` may show that the browser is trusted. */
  asksSecondFactor(userId: string, cookie: string | undefined): Promise<boolean>
}

/** Decides who may have an account, and checks its name, picture and role. */
export const userHooks = (policy: SignUpPolicy): NonNullable<Hooks['user']> => ({
  create: {
    async before(user, context) {
      const byAdmin = context?.path === '/admin/create-user'
      // Refused like a wrong code, so that trying addresses does not reveal which are admitted.
      requireSiteRole(user.role)
      requirePicture(user.image)
      refuseUsername(user)
      if (!byAdmin && !(await policy.maySignUp(user.email))) throw refusal('INVALID_OTP')
      return { data: { ...user, name: personName(user.name, user.email) } }
    },
    async after() {
      await policy.appointAdmin()
    },
  },
  update: {
    async before(user) {
      requireSiteRole(user.role)
      requirePicture(user.image)
      refuseUsername(user)
      if (user.name === undefined) return
      if (String(user.name).trim() === '') throw refusal(authErrors.NAME_INVALID().code)
      return { data: { ...user, name: personName(user.name, '') } }
    },
  },
})

/** Gives a new session its organization and its lifetime, and records the sign-in. */
export function sessionHooks({
  databases,
  log,
  contexts,
  asksSecondFactor,
  onAccess,
}: SessionHookParts): NonNullable<Hooks['session']> {
  /** The first factor of a sign-in that still needs the second; null: the session is complete. */
  const findFirstFactor = async (
    session: { userId: string } & Record<string, unknown>,
    path: string | undefined,
  ): Promise<FirstFactor | null> => {
    // A link that the operator prints has no path. An administrator who impersonates somebody has given their own
    // second factor.
    if (path === undefined || session.impersonatedBy) return null
    if (!(await asksSecondFactor(session.userId, contexts.getStore()?.cookie))) return null
    return path === '/sign-in/username' ? 'password' : 'code'
  }

  return {
    create: {
      async before(session, context) {
        const halfSignedInBy = await findFirstFactor(session, context?.path)
        const call = contexts.getStore()
        if (call && halfSignedInBy !== null) call.halfSignedInBy = halfSignedInBy
        const lastsMs = halfSignedInBy === null ? sessionIdleMs : halfSessionMs
        const idleEnd = session.createdAt.getTime() + lastsMs
        const activeOrganizationId = await findLastOrgId(databases.read, session.userId)
        return {
          data: {
            activeOrganizationId,
            ...session,
            halfSignedInBy,
            expiresAt: new Date(Math.min(session.expiresAt.getTime(), idleEnd)),
          },
        }
      },
      async after(session, context) {
        // Without its second factor it is not yet a sign-in; impersonation has its own audit entry.
        const { halfSignedInBy, impersonatedBy } = session as Record<string, unknown>
        if (context?.path === undefined || halfSignedInBy || impersonatedBy) return
        const { id: sessionId, userId } = session
        const action = accessOfSignIn(context.path === '/sign-in/username' ? 'password' : 'code')
        try {
          await inTransaction(databases, async trx => onAccess?.(trx, { userId, sessionId, action }))
        } catch (error) {
          log.error({ err: errorFacts(error), action }, 'audit entry could not be written')
        }
      },
    },
  }
}

import { Type } from 'typebox'
import type { ServiceOf } from '#shared/contract.ts'
import type { Language } from '#shared/language.ts'
import type { passwordsApi } from '#shared/passwords.ts'
import type { Person } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { type Databases, inTransaction } from '../db.ts'
import { appErrors } from '../errors.ts'
import type { ServerI18n } from '../i18n.ts'
import { inBatches } from '../in-batches.ts'
import type { Log } from '../log.ts'
import type { Mail } from '../mail/mail.ts'
import { readerOf } from '../validate.ts'
import type { Scopes } from '../visibility/scopes.ts'
import { createAccountCalls, type Streams } from './account-calls.ts'
import { findAllowedPath } from './allowed-routes.ts'
import { createApiKeyCalls } from './api-key-calls.ts'
import { type ApiKeys, createApiKeys } from './api-keys.ts'
import { type BetterAuth, createBetterAuth } from './better-auth.ts'
import { createBudgets } from './budget.ts'
import type { AuthAnswers, AuthCall, AuthRequest } from './call.ts'
import { createCallContexts } from './call-context.ts'
import { cookieKey, isSecureUrl, sessionCookieName, signedCookieValue } from './cookie.ts'
import { createFlows } from './flow.ts'
import { createForward } from './forward.ts'
import { createOrganizationCalls, type OrganizationEffects } from './organization-calls.ts'
import { trustedOrigins } from './origins.ts'
import { createPasswordHashing, type PasswordHashing } from './password-hashing.ts'
import { createPasswordSignIn } from './password-sign-in.ts'
import { createPasswords } from './passwords.ts'
import { createPolicy } from './policy.ts'
import { checkQuery } from './query.ts'
import { checkRoles } from './role-input.ts'
import { createSessions, type Sessions, sessionLifetimeMs } from './session.ts'
import { createSignIn } from './sign-in.ts'
import { requireSso } from './sso-check.ts'
import { deleteEnded, hasAnyUser } from './store.ts'

export interface AuthParts extends OrganizationEffects {
  readonly config: Pick<Config, 'publicUrl' | 'port' | 'signup'>
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly mail: Mail
  readonly i18n: ServerI18n
  readonly secret: string
  /** What keys see, at most as their makers. */
  readonly scopes: Pick<Scopes, 'scopeOf'>
  /** Absent: better-auth's own, on threads beside. */
  readonly hashing?: PasswordHashing
  /** Absent: nobody listens. */
  readonly streams?: Streams
  /** The language of an organization's mails; undefined, or absent: the one of whoever causes them. */
  languageOf?(orgId: string): Promise<Language | undefined>
}

export interface SessionCookie {
  readonly name: string
  /** As it stands in a `cookie` header. */
  readonly value: string
  /** `name=value`. */
  readonly cookie: string
  /** A whole `set-cookie` header. */
  readonly setCookie: string
}

export interface Auth extends Sessions, ApiKeys {
  /**
   * Answers a call below `/api/auth`.
   * @throws AppError for every refusal and every failure
   */
  handle(request: AuthRequest): Promise<Response>
  /**
   * Starts a session for a person without a code, for links the operator prints.
   * @throws when there is no such person.
   */
  issueSession(userId: string): Promise<SessionCookie>
  /** Whether anybody has ever come in. */
  hasAnyone(): Promise<boolean>
  /** Deletes sessions, codes and counts that have ended; answers how many. */
  prune(now: Date): Promise<number>
  /** Username and password of whoever is signed in. */
  readonly passwords: ServiceOf<typeof passwordsApi, Person>
  readonly trustedOrigins: ReadonlySet<string>
  /** The library itself, for its own description and for tests that compare with it. */
  readonly betterAuth: BetterAuth
}

const readAny = readerOf('body', Type.Object({}, { additionalProperties: true }))
/** For whoever has not given the second factor: who they are, and the way out. */
const openWhenHalfDone: ReadonlySet<string> = new Set(['/get-session', '/sign-out'])
/** Of each table. */
const prunedAtOnce = 500
const noStreams: Streams = { dropUser() {}, dropMember() {} }

export function createAuth(parts: AuthParts): Auth {
  const { config, databases, secret } = parts
  const contexts = createCallContexts()
  const policy = createPolicy(parts)
  const budgets = createBudgets(parts)
  const sessions = createSessions(parts)
  const betterAuth = createBetterAuth({
    ...parts,
    policy,
    contexts,
    onAccessEnding: (orgId, userId) => parts.streams?.dropMember(orgId, userId),
  })
  const forward = createForward({ ...parts, betterAuth, contexts })
  const flows = createFlows({ publicUrl: config.publicUrl, secret })
  const hashing = parts.hashing ?? createPasswordHashing()
  const streams = parts.streams ?? noStreams
  const rooms = { ...parts, betterAuth, policy, budgets, flows, forward, hashing, streams }
  const answers: AuthAnswers = {
    ...createSignIn(rooms),
    ...createPasswordSignIn(rooms),
    ...createAccountCalls(rooms),
    ...createOrganizationCalls(rooms),
    ...createApiKeyCalls(rooms),
  }

  return {
    ...sessions,
    ...createApiKeys(parts),
    passwords: createPasswords(rooms),
    trustedOrigins: trustedOrigins(config),
    betterAuth,

    async handle(request) {
      const path = findAllowedPath(request.method, request.path)
      if (!path) throw appErrors.NOT_FOUND()
      if (request.person?.secondFactorMissing && !openWhenHalfDone.has(path)) throw appErrors.SECOND_FACTOR_REQUIRED()
      checkQuery(path, new URLSearchParams(request.search))
      const body = request.method === 'GET' ? {} : (readAny(request.body ?? {}) as AuthCall['body'])
      checkRoles(path, body)
      const call: AuthCall = { ...request, path, body }
      await requireSso(databases, call)
      const answer = answers[path]
      return answer ? answer(call) : forward(call)
    },

    hasAnyone: () => hasAnyUser(databases.read),
    prune: now => inBatches(prunedAtOnce, limit => inTransaction(databases, trx => deleteEnded(trx, now, limit))),

    async issueSession(userId) {
      const { internalAdapter } = await betterAuth.$context
      const session = await internalAdapter.createSession(userId)
      const name = sessionCookieName(config.publicUrl)
      const value = signedCookieValue(session.token, cookieKey(secret))
      const cookie = `${name}=${value}`
      const secure = isSecureUrl(config.publicUrl) ? '; Secure' : ''
      return {
        name,
        value,
        cookie,
        setCookie: `${cookie}; Max-Age=${sessionLifetimeMs / 1000}; Path=/; HttpOnly; SameSite=Lax${secure}`,
      }
    },
  }
}

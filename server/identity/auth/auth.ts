import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller, Person } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import type { emailChangeApi } from '#shared/auth/email-change.ts'
import type { passwordsApi } from '#shared/auth/passwords.ts'
import type { secondFactorApi } from '#shared/auth/second-factor.ts'
import type { ssoApi } from '#shared/auth/sso.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { AccessLog } from './accounts/access-log.ts'
import { createAccountCalls } from './accounts/account-calls.ts'
import { listSiteAdminAddresses } from './accounts/account-store.ts'
import { createCredentialNotices } from './accounts/credential-notices.ts'
import { createEmailChange } from './accounts/email-change.ts'
import { createProofs } from './accounts/proof.ts'
import { createSignOutCalls } from './accounts/sign-out-calls.ts'
import { createSiteAccountCalls } from './accounts/site-account-calls.ts'
import type { CurrentRights } from './acting-callers.ts'
import { type BetterAuth, createBetterAuth } from './better-auth.ts'
import { findAllowedPath } from './calls/allowed-routes.ts'
import type { AuthAnswers, AuthCall, AuthRequest } from './calls/call.ts'
import { createCallContexts } from './calls/call-context.ts'
import { createForward } from './calls/forward.ts'
import { trustedOrigins } from './calls/origins.ts'
import { checkQuery } from './calls/query.ts'
import { createApiKeyCalls } from './keys/api-key-calls.ts'
import { type ApiKeys, createApiKeys } from './keys/api-keys.ts'
import { findCurrentRights } from './keys/current-rights-store.ts'
import { createOrganizationCalls } from './organizations/organization-calls.ts'
import { requireOrganizationDemands } from './organizations/organization-demands.ts'
import type { OrganizationEffects } from './organizations/organization-effects.ts'
import { checkRoles } from './organizations/role-input.ts'
import { createLeakedPasswords } from './passwords/leaked-passwords.ts'
import { createPasswordHashing, type PasswordHashing } from './passwords/password-hashing.ts'
import { createPasswordSignIn } from './passwords/password-sign-in.ts'
import { createPasswords } from './passwords/passwords.ts'
import { createPrograms, type Programs } from './programs/programs.ts'
import { mountPrograms } from './programs/routes.ts'
import { createSecondFactorSetup } from './second-factor/second-factor.ts'
import { createSecondFactorCalls } from './second-factor/second-factor-calls.ts'
import { createSecondFactorCodes } from './second-factor/second-factor-codes.ts'
import { createSecondFactorService } from './second-factor/second-factor-service.ts'
import { createSecondStep } from './second-factor/second-step.ts'
import { createTrustedDevices } from './second-factor/trusted-devices.ts'
import { requireAllowedWhenBound } from './sessions/bound-sessions.ts'
import { cookieKey, type SessionCookie, sessionCookie } from './sessions/cookie.ts'
import { deleteEnded } from './sessions/ended-store.ts'
import { createSessions, type Sessions } from './sessions/session.ts'
import { createSessionCalls } from './sessions/session-calls.ts'
import { deleteSession } from './sessions/session-store.ts'
import type { Streams } from './sessions/streams.ts'
import { createBudgets } from './sign-in/budget.ts'
import { createFlows } from './sign-in/flow.ts'
import { hasAnyUser } from './sign-in/installation-store.ts'
import { createPolicy } from './sign-in/policy.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import type { ResolveTxt } from './sso/domain.ts'
import { createSso } from './sso/sso.ts'

export interface AuthParts extends OrganizationEffects, AccessLog {
  readonly config: Pick<Config, 'publicUrl' | 'port' | 'signup' | 'passwordList'>
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly log: Log
  readonly mail: Mail
  readonly i18n: ServerI18n
  readonly secret: string
  /** Secrets from before a rotation: what they signed is still accepted. */
  readonly previousSecrets?: readonly string[]
  readonly vault: Vault
  readonly jobs: Pick<Jobs, 'register'>
  /** Sends requests to identity providers, whose addresses people enter. */
  readonly outbound: Outbound
  readonly resolveTxt: ResolveTxt
  readonly scopes: Pick<Scopes, 'readScope'>
  /** Absent: better-auth's scrypt, on worker threads. */
  readonly hashing?: PasswordHashing
  /** Wraps a call that changes an organization, to write audit entries. */
  readonly aroundAuthCall?: (call: AuthCall, work: () => Promise<Response>) => Promise<Response>
  readonly streams?: Streams
  /** The language of an organization's mails; undefined or absent: that of the caller. */
  findLanguage?(orgId: string): Promise<Language | undefined>
}

export interface Auth extends Sessions, ApiKeys {
  /** Programs that people connect with OAuth. */
  readonly programs: Programs['service']
  /** @see Programs.readHolder */
  readonly readProgramHolder: Programs['readHolder']
  /** Mounts the addresses of OAuth that programs call. */
  mountPrograms(app: FastifyInstance): void
  /**
   * Answers a call below `/api/auth`.
   * @throws AppError for every refusal and failure
   */
  handle(request: AuthRequest): Promise<Response>
  /**
   * Starts a session for a person without a code, for sign-in links that the operator prints.
   * @throws if there is no such person
   */
  issueSession(userId: string): Promise<SessionCookie>
  hasUsers(): Promise<boolean>
  /** Mail addresses of the site administrators. */
  listSiteAdmins(): Promise<string[]>
  /** The rights that the author of an earlier request has now; undefined: none any more. */
  findCurrentRights(
    db: Db,
    orgId: string,
    author: { kind: 'person' | 'key'; id: string },
  ): Promise<CurrentRights | undefined>
  /** Deletes expired sessions, codes and counters; returns how many rows. */
  prune(now: Date): Promise<number>
  readonly passwords: ServiceOf<typeof passwordsApi, Person>
  readonly emailChange: ServiceOf<typeof emailChangeApi, Person>
  readonly sso: ServiceOf<typeof ssoApi, OrgCaller>
  readonly secondFactor: ServiceOf<typeof secondFactorApi, Person>
  readonly trustedOrigins: ReadonlySet<string>
  /** The library itself, for its OpenAPI document and for tests that compare with it. */
  readonly betterAuth: BetterAuth
}

const readAny = readerOf('body', Type.Object({}, { additionalProperties: true }))
/** The calls that are allowed before the second factor is given. */
const allowedBeforeSecondFactor: ReadonlySet<string> = new Set([
  '/get-session',
  '/sign-out',
  '/two-factor/send-otp',
  '/two-factor/verify-totp',
  '/two-factor/verify-otp',
  '/two-factor/verify-backup-code',
  // A person who returns from their provider starts another session.
  '/sso/callback/:providerId',
])
/** A sign-in first ends the session that the browser had. */
const startsSession: ReadonlySet<string> = new Set(['/sign-in/email-otp', '/sign-in/username'])
/** Rows deleted per table and transaction. */
const pruneBatchSize = 500
const noStreams: Streams = { dropUser() {}, dropMember() {} }

export function createAuth(parts: AuthParts): Auth {
  const { config, databases, secret } = parts
  const contexts = createCallContexts()
  const policy = createPolicy(parts)
  const budgets = createBudgets(parts)
  const sessions = createSessions(parts)
  const trustedDevices = createTrustedDevices(parts)
  const notices = createCredentialNotices(parts)
  const codes = createSecondFactorCodes(parts)
  const secondStep = createSecondStep({ ...parts, budgets, codes, notices, trustedDevices })
  const betterAuth = createBetterAuth({
    ...parts,
    policy,
    contexts,
    asksSecondFactor: secondStep.isAsked,
    onAccessEnding: (orgId, userId) => parts.streams?.dropMember(orgId, userId),
  })
  const forward = createForward({ ...parts, betterAuth, contexts })
  const flows = createFlows({ ...parts, publicUrl: config.publicUrl })
  const hashing = parts.hashing ?? createPasswordHashing()
  const streams = parts.streams ?? noStreams
  const leaked = config.passwordList === undefined ? undefined : createLeakedPasswords(config.passwordList)
  const proofs = createProofs({ ...parts, budgets, hashing })
  const setup = createSecondFactorSetup({ ...parts, budgets, codes, notices, proofs, streams })
  const programs = createPrograms(parts)
  const sso = createSso({ ...parts, budgets, streams, notices, asksSecondFactor: secondStep.isAsked })
  const allParts = { ...parts, betterAuth, policy, budgets, flows, forward, hashing, streams, proofs, notices }
  const answers: AuthAnswers = {
    ...createSignIn(allParts),
    ...createPasswordSignIn(allParts),
    ...createAccountCalls(allParts),
    ...createSignOutCalls(allParts),
    ...createOrganizationCalls(allParts),
    ...createApiKeyCalls(allParts),
    ...createSessionCalls({ ...parts, forward, secondStep }),
    ...createSiteAccountCalls({ ...allParts, leaked }),
    ...createSecondFactorCalls({ setup, secondStep }),
    ...sso.answers,
  }

  return {
    ...sessions,
    ...createApiKeys(parts),
    programs: programs.service,
    readProgramHolder: programs.readHolder,
    mountPrograms: app => mountPrograms(app, { ...parts, programs, budgets }),
    passwords: createPasswords({ ...allParts, leaked }),
    emailChange: createEmailChange({ ...parts, budgets, codes, notices }),
    secondFactor: createSecondFactorService({ ...parts, secondStep, trustedDevices }),
    sso: sso.service,
    trustedOrigins: trustedOrigins(config),
    betterAuth,

    async handle(request) {
      const allowed = findAllowedPath(request.method, request.path)
      if (!allowed) throw appErrors.NOT_FOUND()
      const { path } = allowed
      if (request.person?.secondFactorMissing && !allowedBeforeSecondFactor.has(path))
        throw appErrors.SECOND_FACTOR_REQUIRED()
      requireAllowedWhenBound(request.person, path)
      checkQuery(path, new URLSearchParams(request.search))
      const body = request.method === 'GET' ? {} : (readAny(request.body ?? {}) as AuthCall['body'])
      checkRoles(path, body)
      const call: AuthCall = { ...request, ...allowed, body }
      await requireOrganizationDemands(databases, call)
      const answer = answers[path]
      const work = async () => {
        const reply = await (answer ? answer(call) : forward(call))
        if (call.person && startsSession.has(path)) {
          const { userId, sessionId } = call.person
          await deleteSession(databases.write, userId, sessionId)
          streams.dropUser(userId, sessionId)
        }
        return reply
      }
      return parts.aroundAuthCall ? parts.aroundAuthCall(call, work) : work()
    },

    hasUsers: () => hasAnyUser(databases.read),
    listSiteAdmins: () => listSiteAdminAddresses(databases.read),
    findCurrentRights: (db, orgId, author) => findCurrentRights(db, orgId, author, isoNow(parts.clock)),
    async prune(now) {
      const ended = await inBatches(pruneBatchSize, limit =>
        inTransaction(databases, trx => deleteEnded(trx, now, limit)),
      )
      return ended + (await programs.prune(now))
    },

    async issueSession(userId) {
      const { internalAdapter } = await betterAuth.$context
      const session = await internalAdapter.createSession(userId)
      return sessionCookie(config.publicUrl, session.token, cookieKey(secret))
    },
  }
}

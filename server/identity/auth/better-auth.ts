import { apiKey } from '@better-auth/api-key'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
// Imported one by one: the common entry point loads every plugin.
import { admin } from 'better-auth/plugins/admin'
import { emailOTP } from 'better-auth/plugins/email-otp'
import { organization } from 'better-auth/plugins/organization'
import { username } from 'better-auth/plugins/username'
import { codeLetter, deletionLetter, invitationLetter } from '#server/identity/mail/letters.ts'
import type { Config } from '#server/platform/config/config.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { findBrokenRule, isDatabaseTrouble } from '#server/platform/db/faults.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import type { Letter, Mail } from '#server/platform/mail/mail.ts'
import type { ServerI18n, Translate } from '#server/platform/text/i18n.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { keyNameMax, keyPrefix, keySecondsMax, keySecondsMin } from '#shared/auth/api-keys.ts'
import { isUsername, usernameMax, usernameMin } from '#shared/auth/password-rules.ts'
import { fallbackLanguage, type Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { maxOpenInvitations } from '#shared/orgs/invitations.ts'
import { type AccessLog, accessOfSignIn } from './accounts/access-log.ts'
import { personName, refusal, refuseUsername, requirePicture, requireSiteRole } from './better-auth-rules.ts'
import type { CallContexts } from './calls/call-context.ts'
import { trustedOrigins } from './calls/origins.ts'
import { authErrors } from './errors.ts'
import { createKeyText } from './keys/api-key-text.ts'
import { type OrganizationHookParts, organizationHooks } from './organizations/better-auth-organizations.ts'
import { hasOpenInvitations } from './organizations/invitation-store.ts'
import { organizationRoles, siteRoles } from './organizations/roles.ts'
import { cookieName, cookiePrefix, isSecureUrl, sessionLifetimeMs } from './sessions/cookie.ts'
import { halfSessionMs, sessionIdleMs } from './sessions/session.ts'
import { findLastOrgId } from './sessions/session-store.ts'
import { codeIdentifier, codePrefix, createCodeHash } from './sign-in/code.ts'
import type { FirstFactor } from './sign-in/first-factor.ts'
import type { SignUpPolicy } from './sign-in/policy.ts'

/** The path that the library is mounted at; its callbacks and cookies depend on it. */
export const authPath = '/api/auth'
/** The only header from which the library reads the client's address. The handler overwrites what a client sent. */
export const addressHeader = 'x-recado-client-address'

const codeMinutes = 10
const guessesPerCode = 5
const invitationDays = 7
const deletionHours = 24
const daySeconds = 86_400
/** Cookies that the library sets or deletes. */
const libraryCookies = ['session_token', 'session_data', 'account_data', 'dont_remember', 'admin_session']

interface BetterAuthParts extends Omit<OrganizationHookParts, 'currentPerson'>, AccessLog {
  readonly config: Pick<Config, 'publicUrl' | 'port'>
  readonly databases: Databases
  readonly clock: Clock
  readonly mail: Mail
  readonly i18n: ServerI18n
  readonly secret: string
  readonly policy: SignUpPolicy
  readonly contexts: CallContexts
  languageOf?(orgId: string): Promise<Language | undefined>
  /** Whether this sign-in needs a second factor. `cookie` may show that the browser is trusted. */
  asksSecondFactor(userId: string, cookie: string | undefined): Promise<boolean>
}

/**
 * The library's messages contain mail addresses and origins of visitors: log them as warnings without the addresses,
 * and only exceptions as errors.
 */
const loggerOn = (log: Log): NonNullable<BetterAuthOptions['logger']> => ({
  level: 'warn',
  disableColors: true,
  log(_level, message, ...facts) {
    const said = String(message).replace(/\S+@\S+/g, '…')
    const err = facts.find(fact => fact instanceof Error)
    if (err) log.error({ err: errorFacts(err) }, `better-auth: ${said}`)
    else log.warn(`better-auth: ${said}`)
  },
})

/**
 * Creates better-auth with the defaults changed that its documentation and advisories ask to change. The secret is
 * passed as a list of secrets, because the library's environment variable would replace a single one.
 */
export function createBetterAuth(parts: BetterAuthParts) {
  const { config, databases, clock, log, mail, i18n, secret, policy, contexts } = parts
  const codeHash = createCodeHash(secret)

  const post = async (compose: (t: Translate) => Letter, language?: Language) => {
    const context = contexts.getStore()
    const letter = compose(i18n.translator(language ?? context?.language ?? fallbackLanguage))
    try {
      await (context?.deliver === false ? mail.rehearse(letter) : mail.send(letter))
    } catch (error) {
      if (!context) throw error
      context.mailFailure = error
    }
  }

  /** The first factor of a sign-in that still needs the second; null: the session is complete. */
  const halfSignedInByOf = async (
    session: { userId: string } & Record<string, unknown>,
    path: string | undefined,
  ): Promise<FirstFactor | null> => {
    // A link that the operator prints has no path. An administrator who impersonates somebody has given their own
    // second factor.
    if (path === undefined || session.impersonatedBy) return null
    if (!(await parts.asksSecondFactor(session.userId, contexts.getStore()?.cookie))) return null
    return path === '/sign-in/username' ? 'password' : 'code'
  }

  return betterAuth({
    appName: PRODUCT_NAME,
    baseURL: config.publicUrl,
    basePath: authPath,
    secrets: [{ version: 1, value: secret }],
    trustedOrigins: [...trustedOrigins(config)],
    // Without `transaction`: hooks query our own store, which inside a transaction would wait for itself forever.
    // `type` is the format of values, not the engine: flags as 0 and 1, times as ISO text, the same on both engines.
    database: { db: databases.write, type: 'sqlite' },
    telemetry: { enabled: false },
    logger: loggerOn(log),
    onAPIError: {
      // The library's own handler would print refusals to the console instead of our log.
      onError(error) {
        const context = contexts.getStore()
        if (context && (isDatabaseTrouble(error) || findBrokenRule(error))) context.databaseFailure = error
        if (!(error instanceof APIError && error.statusCode < 500) && !findBrokenRule(error))
          log.error({ err: errorFacts(error) }, 'better-auth failed')
      },
    },
    // Our budgets run before the handler and are stored in the database. The library's limits live in memory, and
    // `auth.api` skips them.
    rateLimit: { enabled: false },
    // Passwords are set in `passwords.ts`; the library's own sign-up and reset stay off.
    emailAndPassword: { enabled: false },
    user: {
      changeEmail: { enabled: false },
      deleteUser: {
        enabled: true,
        deleteTokenExpiresIn: deletionHours * 60 * 60,
        // The library's own link deletes the account as soon as it is opened, which link scanners do. Ours leads to a
        // page that asks for confirmation.
        async sendDeleteAccountVerification({ user, token }) {
          const link = `${config.publicUrl}${paths.deleteAccount(token)}`
          await post(t => deletionLetter(t, { to: user.email, link, hours: deletionHours }))
        },
      },
    },
    verification: {
      storeIdentifier: {
        default: 'plain',
        overrides: {
          [codePrefix]: {
            async hash(identifier) {
              const { codeFlow } = contexts.getStore() ?? {}
              return codeFlow === undefined ? identifier : codeIdentifier(identifier.slice(codePrefix.length), codeFlow)
            },
          },
        },
      },
    },
    account: { accountLinking: { enabled: false } },
    session: {
      additionalFields: { halfSignedInBy: { type: 'string', required: false, input: false, returned: false } },
      // Lifetime of the cookie. The row expires earlier, and use extends it: see the hook below and `session.ts`.
      expiresIn: sessionLifetimeMs / 1000,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
      freshAge: 24 * 60 * 60,
    },
    advanced: {
      cookiePrefix,
      // The library's prefix for https would stand before ours.
      useSecureCookies: false,
      cookies: Object.fromEntries(libraryCookies.map(name => [name, { name: cookieName(config.publicUrl, name) }])),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecureUrl(config.publicUrl) },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      trustedProxyHeaders: false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => newId() },
    },
    databaseHooks: {
      user: {
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
      },
      session: {
        create: {
          async before(session, context) {
            const halfSignedInBy = await halfSignedInByOf(session, context?.path)
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
              await inTransaction(databases, async trx => parts.onAccess?.(trx, { userId, sessionId, action }))
            } catch (error) {
              log.error({ err: errorFacts(error), action }, 'audit entry could not be written')
            }
          },
        },
      },
    },
    plugins: [
      emailOTP({
        otpLength: 6,
        expiresIn: codeMinutes * 60,
        allowedAttempts: guessesPerCode,
        storeOTP: { hash: async code => codeHash(code) },
        async sendVerificationOTP({ email, otp }) {
          await post(t => codeLetter(t, { to: email, use: 'signIn', code: otp, minutes: codeMinutes }))
        },
      }),
      organization({
        ...organizationRoles,
        creatorRole: 'owner',
        allowUserToCreateOrganization: user => policy.claimCreation({ id: user.id, siteRole: user.role }),
        organizationLimit: 50,
        membershipLimit: 1000,
        // The library counts at most 100 invitations, so a limit above 100 of its own would never be reached. Our store
        // counts.
        invitationLimit: async ({ organization: { id } }) =>
          (await hasOpenInvitations(databases.read, id, maxOpenInvitations, clock.now().toISOString())) ? 0 : 101,
        invitationExpiresIn: invitationDays * 24 * 60 * 60,
        cancelPendingInvitationsOnReInvite: true,
        requireEmailVerificationOnInvitation: true,
        teams: { enabled: true, maximumTeams: 100, defaultTeam: { enabled: false }, allowRemovingAllTeams: true },
        schema: { team: { additionalFields: { description: { type: 'string', required: false, input: true } } } },
        async sendInvitationEmail({ id, email, organization: org, inviter }) {
          const link = `${config.publicUrl}${paths.invitation(org.slug, id)}`
          await post(
            t =>
              invitationLetter(t, { to: email, org: org.name, inviter: inviter.user.name, link, days: invitationDays }),
            await parts.languageOf?.(org.id),
          )
        },
        organizationHooks: organizationHooks({ ...parts, currentPerson: () => contexts.getStore()?.person ?? null }),
      }),
      apiKey({
        references: 'organization',
        requireName: true,
        maximumNameLength: keyNameMax,
        enableMetadata: true,
        defaultPrefix: keyPrefix,
        customKeyGenerator: () => createKeyText(),
        startingCharactersConfig: { shouldStore: true, charactersLength: keyPrefix.length + 4 },
        keyExpiration: { minExpiresIn: keySecondsMin / daySeconds, maxExpiresIn: keySecondsMax / daySeconds },
        // Our own rate limit runs before every call and counts by key.
        rateLimit: { enabled: false },
        enableSessionForAPIKeys: false,
      }),
      username({
        displayUsername: false,
        minUsernameLength: usernameMin,
        maxUsernameLength: usernameMax,
        usernameValidator: isUsername,
      }),
      admin({ ...siteRoles, defaultRole: 'user', adminRoles: ['admin'] }),
    ],
  })
}

export type BetterAuth = ReturnType<typeof createBetterAuth>

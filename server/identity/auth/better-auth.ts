import { apiKey } from '@better-auth/api-key'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
// One by one: the common entry loads every plugin there is.
import { admin } from 'better-auth/plugins/admin'
import { emailOTP } from 'better-auth/plugins/email-otp'
import { organization } from 'better-auth/plugins/organization'
import { username } from 'better-auth/plugins/username'
import type { Config } from '#server/platform/config/config.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { findBrokenRule, isDatabaseTrouble } from '#server/platform/db/faults.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { codeLetter, deletionLetter, invitationLetter } from '#server/platform/mail/letters.ts'
import type { Letter, Mail } from '#server/platform/mail/mail.ts'
import type { ServerI18n, Translate } from '#server/platform/text/i18n.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { keyNameMax, keyPrefix, keySecondsMax, keySecondsMin } from '#shared/auth/api-keys.ts'
import { isUsername, usernameMax, usernameMin } from '#shared/auth/password-rules.ts'
import { fallbackLanguage, type Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { mostOpenInvitations } from '#shared/orgs/invitations.ts'
import { type AccessLog, accessOfSignIn } from './access-log.ts'
import { createKeyText } from './api-key-text.ts'
import { type OrganizationHookParts, organizationHooks } from './better-auth-organizations.ts'
import { personName, refusal, refuseUsername, requirePicture, requireSiteRole } from './better-auth-rules.ts'
import type { CallContexts } from './call-context.ts'
import { codeIdentifier, codePrefix, createCodeHash } from './code.ts'
import { cookieName, cookiePrefix, isSecureUrl, sessionLifetimeMs } from './cookie.ts'
import { authErrors } from './errors.ts'
import type { FirstFactor } from './first-factor.ts'
import { hasOpenInvitations } from './invitation-store.ts'
import { trustedOrigins } from './origins.ts'
import type { SignUpPolicy } from './policy.ts'
import { organizationRoles, siteRoles } from './roles.ts'
import { halfSessionMs, sessionIdleMs } from './session.ts'
import { findLastOrgId } from './session-store.ts'

/** The library's own path; its callbacks and cookies are built on it. */
export const authPath = '/api/auth'
/** The only header it takes a network address from; the handler overwrites whatever a client sent. */
export const addressHeader = 'x-recado-client-address'

const codeMinutes = 10
const guessesPerCode = 5
const invitationDays = 7
const deletionHours = 24
const daySeconds = 86_400
/** Those it sets, or takes away by their names. */
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
  /** Whether a sign-in is half done until the second factor comes too; `cookie` may show a trusted browser. */
  asksSecondFactor(userId: string, cookie: string | undefined): Promise<boolean>
}

/** Its messages name addresses and origins of visitors: warnings without the addresses; only exceptions are errors. */
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
 * better-auth with every default changed that its documentation and advisories ask to change. The secret is given as
 * the list of secrets, because an environment variable of the library's would otherwise replace it.
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

  /** By what somebody has come in who must give the second factor too; null: the session is whole. */
  const halfSignedInByOf = async (
    session: { userId: string } & Record<string, unknown>,
    path: string | undefined,
  ): Promise<FirstFactor | null> => {
    // A link that the operator prints has no path; who acts as somebody else has signed in as themself.
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
    // Without `transaction`: its hooks ask our own store, which inside a transaction would wait for itself for ever.
    // The type is the form of its values, not the engine: flags as 0 and 1, times as ISO text, in columns that are the
    // same on each.
    database: { db: databases.write, type: 'sqlite' },
    telemetry: { enabled: false },
    logger: loggerOn(log),
    onAPIError: {
      // Refusals are answers; its own handler would print them to the console, past our log.
      onError(error) {
        const context = contexts.getStore()
        if (context && (isDatabaseTrouble(error) || findBrokenRule(error))) context.databaseFailure = error
        if (!(error instanceof APIError && error.statusCode < 500) && !findBrokenRule(error))
          log.error({ err: errorFacts(error) }, 'better-auth failed')
      },
    },
    // Ours stand before the handler, in the database; the library's live in memory and `auth.api` passes them by.
    rateLimit: { enabled: false },
    // No sign-up, change or reset of its own; passwords are set in `passwords.ts`.
    emailAndPassword: { enabled: false },
    user: {
      changeEmail: { enabled: false },
      deleteUser: {
        enabled: true,
        deleteTokenExpiresIn: deletionHours * 60 * 60,
        // Not the library's own link, which deletes when it is looked at: ours leads to a page that asks once more.
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
      // The cookie's age. The row ends earlier and moves with use: see the hook below and `session.ts`.
      expiresIn: sessionLifetimeMs / 1000,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
      freshAge: 24 * 60 * 60,
    },
    advanced: {
      cookiePrefix,
      // Its own prefix for https would stand ahead of ours.
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
            // As for a wrong code: whoever holds no admitted address learns nothing from trying.
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
            // Half done, it is no sign-in yet; who acts as somebody else is written down as that.
            const { halfSignedInBy, impersonatedBy } = session as Record<string, unknown>
            if (context?.path === undefined || halfSignedInBy || impersonatedBy) return
            const { id: sessionId, userId } = session
            const action = accessOfSignIn(context.path === '/sign-in/username' ? 'password' : 'code')
            try {
              await inTransaction(databases, async trx => parts.onAccess?.(trx, { userId, sessionId, action }))
            } catch (error) {
              log.error({ err: errorFacts(error), action }, 'an audit entry is missing')
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
          await post(t => codeLetter(t, email, otp, codeMinutes))
        },
      }),
      organization({
        ...organizationRoles,
        creatorRole: 'owner',
        allowUserToCreateOrganization: user => policy.claimCreation({ id: user.id, siteRole: user.role }),
        organizationLimit: 50,
        membershipLimit: 1000,
        // The library counts a hundred at most, so that no higher number of its own is ever reached.
        invitationLimit: async ({ organization: { id } }) =>
          (await hasOpenInvitations(databases.read, id, mostOpenInvitations, clock.now().toISOString())) ? 0 : 101,
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
        // Ours stands before every call and counts by key.
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

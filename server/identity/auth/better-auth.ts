import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
// Imported one by one: the common entry point loads every plugin.
import { admin } from 'better-auth/plugins/admin'
import { deletionLetter } from '#server/identity/mail/letters.ts'
import type { Config } from '#server/platform/config/config.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { findBrokenRule, isDatabaseTrouble } from '#server/platform/db/faults.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import { fallbackLanguage } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { type SessionHookParts, sessionHooks, userHooks } from './better-auth-hooks.ts'
import {
  codePlugin,
  keyPlugin,
  type OrganizationPluginParts,
  organizationPlugin,
  type Post,
  usernamePlugin,
} from './better-auth-plugins.ts'
import { trustedOrigins } from './calls/origins.ts'
import { siteRoles } from './organizations/roles.ts'
import { cookieName, cookiePrefix, isSecureUrl, sessionLifetimeMs } from './sessions/cookie.ts'
import { codeIdentifier, codePrefix, createCodeHash } from './sign-in/code.ts'
import type { SignUpPolicy } from './sign-in/policy.ts'

/** The path that the library is mounted at; its callbacks and cookies depend on it. */
export const authPath = '/api/auth'
/** The only header from which the library reads the client's address. The handler overwrites what a client sent. */
export const addressHeader = 'x-recado-client-address'

const deletionHours = 24
/** Cookies that the library sets or deletes. */
const libraryCookies = ['session_token', 'session_data', 'account_data', 'dont_remember', 'admin_session']

interface BetterAuthParts extends Omit<OrganizationPluginParts, 'currentPerson'>, SessionHookParts {
  readonly config: Pick<Config, 'publicUrl' | 'port'>
  readonly mail: Mail
  readonly i18n: ServerI18n
  readonly secret: string
  readonly policy: SignUpPolicy
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

/** A letter that cannot be sent during a call is reported to that call, which decides what to answer. */
const createPost =
  ({ mail, i18n, contexts }: Pick<BetterAuthParts, 'mail' | 'i18n' | 'contexts'>): Post =>
  async (compose, language) => {
    const context = contexts.getStore()
    const letter = compose(i18n.translator(language ?? context?.language ?? fallbackLanguage))
    try {
      await (context?.deliver === false ? mail.rehearse(letter) : mail.send(letter))
    } catch (error) {
      if (!context) throw error
      context.mailFailure = error
    }
  }

/**
 * Creates better-auth with the defaults changed that its documentation and advisories ask to change. The secret is
 * passed as a list of secrets, because the library's environment variable would replace a single one.
 */
export function createBetterAuth(parts: BetterAuthParts) {
  const { config, databases, log, secret, policy, contexts } = parts
  const post = createPost(parts)

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
    databaseHooks: { user: userHooks(policy), session: sessionHooks(parts) },
    plugins: [
      codePlugin(post, createCodeHash(secret)),
      organizationPlugin({ ...parts, currentPerson: () => contexts.getStore()?.person ?? null }, post),
      keyPlugin(),
      usernamePlugin(),
      admin({ ...siteRoles, defaultRole: 'user', adminRoles: ['admin'] }),
    ],
  })
}

export type BetterAuth = ReturnType<typeof createBetterAuth>

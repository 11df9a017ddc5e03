import { createHmac } from 'node:crypto'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
// One by one: the common entry loads every plugin there is.
import { admin } from 'better-auth/plugins/admin'
import { emailOTP } from 'better-auth/plugins/email-otp'
import { organization } from 'better-auth/plugins/organization'
import { fallbackLanguage, type Language } from '#shared/language.ts'
import { paths } from '#shared/paths.ts'
import { PRODUCT_NAME } from '#shared/product.ts'
import type { Config } from '../config.ts'
import { type Databases, isDatabaseTrouble } from '../db.ts'
import type { ServerI18n, Translate } from '../i18n.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { codeLetter, deletionLetter, invitationLetter } from '../mail/letters.ts'
import type { Letter, Mail } from '../mail/mail.ts'
import { orgErrors } from '../orgs/errors.ts'
import { isPictureAddress, isPlainName, orgFault, orgNameOf } from '../orgs/rules.ts'
import { errorFacts } from '../redact.ts'
import { cookiePrefix, isSecureUrl } from './cookie.ts'
import type { Errands } from './errand.ts'
import { authErrors } from './errors.ts'
import { trustedOrigins } from './origins.ts'
import type { SignUpPolicy } from './policy.ts'
import { organizationRoles, siteRoles } from './roles.ts'
import { deriveKey } from './secret.ts'
import { sessionIdleMs, sessionLifetimeMs } from './session.ts'
import { findLastOrgId } from './store.ts'

/** The library's own path; its callbacks and cookies are built on it. */
export const authPath = '/api/auth'
/** The only header it takes a network address from; the handler overwrites whatever a client sent. */
export const addressHeader = 'x-recado-client-address'

const codeMinutes = 10
const guessesPerCode = 5
const invitationDays = 7
const deletionHours = 24
const personNameMaxChars = 80

interface LibraryParts {
  readonly config: Pick<Config, 'publicUrl' | 'port'>
  readonly databases: Databases
  readonly log: Log
  readonly mail: Mail
  readonly i18n: ServerI18n
  readonly secret: string
  readonly policy: SignUpPolicy
  readonly errands: Errands
  languageOf?(orgId: string): Promise<Language | undefined>
}

const refusal = (code: string) => new APIError('BAD_REQUEST', { code, message: code })

const personName = (name: unknown, email: string): string => {
  const kept = typeof name === 'string' ? name.trim().replace(/\s+/g, ' ') : ''
  if (kept === '') return email.split('@')[0] ?? email
  if ([...kept].length > personNameMaxChars || !isPlainName(kept)) throw refusal(authErrors.NAME_INVALID().code)
  return kept
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
export function createLibrary(parts: LibraryParts) {
  const { config, databases, log, mail, i18n, secret, policy, errands } = parts
  const codeKey = deriveKey(secret, 'sign-in codes')

  const post = async (compose: (t: Translate) => Letter, language?: Language) => {
    const errand = errands.getStore()
    const letter = compose(i18n.translator(language ?? errand?.language ?? fallbackLanguage))
    try {
      await (errand?.deliver === false ? mail.rehearse(letter) : mail.send(letter))
    } catch (error) {
      if (!errand) throw error
      errand.failure = error
    }
  }

  return betterAuth({
    appName: PRODUCT_NAME,
    baseURL: config.publicUrl,
    basePath: authPath,
    secrets: [{ version: 1, value: secret }],
    trustedOrigins: [...trustedOrigins(config)],
    // Without `transaction`: its hooks ask our own store, which inside a transaction would wait for itself for ever.
    database: { db: databases.write, type: 'sqlite' },
    telemetry: { enabled: false },
    logger: loggerOn(log),
    onAPIError: {
      // Refusals are answers; its own handler would print them to the console, past our log.
      onError(error) {
        const errand = errands.getStore()
        if (errand && isDatabaseTrouble(error)) errand.trouble = error
        if (!(error instanceof APIError && error.statusCode < 500))
          log.error({ err: errorFacts(error) }, 'better-auth failed')
      },
    },
    // Ours stand before the handler, in the database; the library's live in memory and `auth.api` passes them by.
    rateLimit: { enabled: false },
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
    account: { accountLinking: { enabled: false } },
    session: {
      // The cookie's age. The row ends earlier and moves with use: see the hook below and `session.ts`.
      expiresIn: sessionLifetimeMs / 1000,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
      freshAge: 24 * 60 * 60,
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: isSecureUrl(config.publicUrl),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/' },
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
            if (!byAdmin && !(await policy.maySignUp(user.email))) throw refusal('INVALID_OTP')
            return { data: { ...user, name: personName(user.name, user.email) } }
          },
          async after() {
            await policy.appointAdmin()
          },
        },
        update: {
          async before(user) {
            if (user.image && !isPictureAddress(user.image)) throw refusal(authErrors.IMAGE_INVALID().code)
            if (user.name === undefined) return
            if (String(user.name).trim() === '') throw refusal(authErrors.NAME_INVALID().code)
            return { data: { ...user, name: personName(user.name, '') } }
          },
        },
      },
      session: {
        create: {
          async before(session) {
            const idleEnd = session.createdAt.getTime() + sessionIdleMs
            const activeOrganizationId = await findLastOrgId(databases.read, session.userId)
            return {
              data: {
                activeOrganizationId,
                ...session,
                expiresAt: new Date(Math.min(session.expiresAt.getTime(), idleEnd)),
              },
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
        // Six digits under a plain hash are a table lookup; under a key that is not in the database they are not.
        storeOTP: { hash: async code => createHmac('sha256', codeKey).update(code).digest('base64url') },
        async sendVerificationOTP({ email, otp }) {
          await post(t => codeLetter(t, email, otp, codeMinutes))
        },
      }),
      organization({
        ...organizationRoles,
        creatorRole: 'owner',
        allowUserToCreateOrganization: user => policy.mayCreateOrganization({ id: user.id, siteRole: user.role }),
        organizationLimit: 50,
        membershipLimit: 1000,
        invitationLimit: 500,
        invitationExpiresIn: invitationDays * 24 * 60 * 60,
        cancelPendingInvitationsOnReInvite: true,
        requireEmailVerificationOnInvitation: true,
        teams: { enabled: true, maximumTeams: 100, defaultTeam: { enabled: false }, allowRemovingAllTeams: true },
        async sendInvitationEmail({ id, email, organization: org, inviter }) {
          const link = `${config.publicUrl}${paths.invitation(org.slug, id)}`
          await post(
            t =>
              invitationLetter(t, { to: email, org: org.name, inviter: inviter.user.name, link, days: invitationDays }),
            await parts.languageOf?.(org.id),
          )
        },
        organizationHooks: {
          async beforeCreateOrganization({ organization: org }) {
            return { data: keptOrg(org) }
          },
          async beforeUpdateOrganization({ organization: org }) {
            return { data: keptOrg(org) }
          },
          // The library looks only when one is accepted; what was answered stays as it was.
          async beforeRejectInvitation({ invitation }) {
            requireOpen(invitation)
          },
          async beforeCancelInvitation({ invitation }) {
            requireOpen(invitation)
          },
        },
      }),
      admin({ ...siteRoles, defaultRole: 'user', adminRoles: ['admin'] }),
    ],
  })
}

const requireOpen = (invitation: { status: string }) => {
  if (invitation.status !== 'pending') throw refusal(orgErrors.INVITATION_CLOSED().code)
}

type OrgFields = { name?: string; slug?: string; logo?: string | null; metadata?: Record<string, unknown> }

const keptOrg = (org: OrgFields): OrgFields => {
  const fault = orgFault(org)
  if (fault) throw refusal(orgErrors[fault]().code)
  return { ...org, ...(org.name === undefined ? {} : { name: orgNameOf(org.name) }) }
}

export type Library = ReturnType<typeof createLibrary>

/** Takes back the newest code of an address: its mail did not go out, so the one in the person's hands stays good. */
export async function withdrawCode(library: Library, email: string): Promise<void> {
  const { adapter } = await library.$context
  const [newest] = await adapter.findMany<{ id: string }>({
    model: 'verification',
    where: [{ field: 'identifier', value: `sign-in-otp-${email}` }],
    sortBy: { field: 'createdAt', direction: 'desc' },
    limit: 1,
  })
  if (newest) await adapter.delete({ model: 'verification', where: [{ field: 'id', value: newest.id }] })
}

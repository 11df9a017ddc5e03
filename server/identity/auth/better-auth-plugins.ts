import { apiKey } from '@better-auth/api-key'
// Imported one by one: the common entry point loads every plugin.
import { emailOTP } from 'better-auth/plugins/email-otp'
import { organization } from 'better-auth/plugins/organization'
import { username } from 'better-auth/plugins/username'
import { codeLetter, invitationLetter } from '#server/identity/mail/letters.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Letter } from '#server/platform/mail/mail.ts'
import type { Translate } from '#server/platform/text/i18n.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { keyNameMax, keyPrefix, keySecondsMax, keySecondsMin } from '#shared/auth/api-keys.ts'
import { isUsername, usernameMax, usernameMin } from '#shared/auth/password-rules.ts'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { maxOpenInvitations } from '#shared/orgs/invitations.ts'
import { createKeyText } from './keys/api-key-text.ts'
import { type OrganizationHookParts, organizationHooks } from './organizations/better-auth-organizations.ts'
import { hasOpenInvitations } from './organizations/invitation-store.ts'
import { organizationRoles } from './organizations/roles.ts'
import type { SignUpPolicy } from './sign-in/policy.ts'

const codeMinutes = 10
const guessesPerCode = 5
const invitationDays = 7
const daySeconds = 86_400

/** Sends a letter in this language; default: the language of the current call. */
export type Post = (compose: (t: Translate) => Letter, language?: Language) => Promise<void>

export interface OrganizationPluginParts extends OrganizationHookParts {
  readonly config: Pick<Config, 'publicUrl'>
  readonly databases: Databases
  readonly clock: Clock
  readonly policy: Pick<SignUpPolicy, 'claimCreation'>
  findLanguage?(orgId: string): Promise<Language | undefined>
}

/** Sign-in with a code that is sent by mail. Only its hash is stored. */
export const codePlugin = (post: Post, codeHash: (code: string) => string) =>
  emailOTP({
    otpLength: 6,
    expiresIn: codeMinutes * 60,
    allowedAttempts: guessesPerCode,
    storeOTP: { hash: async code => codeHash(code) },
    async sendVerificationOTP({ email, otp }) {
      await post(t => codeLetter(t, { to: email, use: 'signIn', code: otp, minutes: codeMinutes }))
    },
  })

/** Organizations with members, teams and invitations. */
export function organizationPlugin(parts: OrganizationPluginParts, post: Post) {
  const { config, databases, clock, policy } = parts
  return organization({
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
        t => invitationLetter(t, { to: email, org: org.name, inviter: inviter.user.name, link, days: invitationDays }),
        await parts.findLanguage?.(org.id),
      )
    },
    organizationHooks: organizationHooks(parts),
  })
}

/** API keys of organizations. */
export const keyPlugin = () =>
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
  })

/** Sign-in with a username and a password. */
export const usernamePlugin = () =>
  username({
    displayUsername: false,
    minUsernameLength: usernameMin,
    maxUsernameLength: usernameMax,
    usernameValidator: isUsername,
  })

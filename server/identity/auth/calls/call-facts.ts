import type { Gate } from '#server/platform/http/described-calls.ts'
import { deletionGraceDays } from '#shared/orgs/ownership.ts'
import type { AllowedPath } from './allowed-routes.ts'
import {
  ChangeSsoProvider,
  CreateApiKey,
  DeleteApiKey,
  DeleteUser,
  EnableSecondFactor,
  NameSession,
  NameSsoProvider,
  NameUser,
  Nothing,
  ProveSecondFactor,
  RegisterSsoProvider,
  SendCode,
  SetUserPassword,
  SignIn,
  SignInBySso,
  SignInWithPassword,
  VerifySecondStep,
  VerifySsoDomain,
} from './schemas.ts'

/** What the library's own description of a call lacks or gets wrong. */
interface CallFact {
  readonly access: Gate
  readonly mayBeNull?: true
  readonly summary: string
  /** Statuses beyond those that follow from access and method. */
  readonly refuses?: readonly number[]
  /** Where ours is stricter than the library's, or the library describes none. */
  readonly query?: unknown
  readonly body?: unknown
  readonly reply?: unknown
  readonly params?: unknown
  /** Of success; 200 by default. */
  readonly status?: number
}

const ref = (name: string) => ({ $ref: `#/components/schemas/Auth${name}` })
const listOf = (items: unknown) => ({ type: 'array', items })
const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

const text = { type: 'string' }
const success = object({ success: { type: 'boolean' } })
const textOrNull = { type: ['string', 'null'] }
const SsoProviderReply = object({
  id: text,
  providerId: text,
  name: text,
  domain: text,
  status: { enum: ['active', 'inactive'] },
  createdAt: text,
  issuer: text,
  clientId: text,
  authorizationEndpoint: text,
  tokenEndpoint: text,
  userInfoEndpoint: text,
  jwksEndpoint: text,
  role: text,
  teamId: textOrNull,
  domainVerifiedAt: textOrNull,
  domainProof: { enum: ['dns', 'mail', null] },
  domainRecord: object({ name: text, value: text }),
  callbackUrl: text,
})
const ApiKeyReply = object({
  id: text,
  name: text,
  start: text,
  createdAt: text,
  lastRequest: textOrNull,
  expiresAt: textOrNull,
  scopes: { type: ['array', 'null'], items: text },
  networks: { type: ['array', 'null'], items: text },
  createdBy: textOrNull,
  state: { enum: ['active', 'expired', 'orphaned'] },
})

/** A new allowed path needs an entry here. */
export const callFacts: { readonly [P in AllowedPath]: CallFact } = {
  '/get-session': {
    access: 'anyone',
    summary:
      'The signed-in user, with the `slug` of the active organization; null when nobody is signed in. While the second factor is missing: only `twoFactorRedirect`, without personal data.',
    mayBeNull: true,
  },
  '/organization/list': {
    access: 'person',
    summary: "The caller's organizations; one that is to be deleted says when in `deletesAt`.",
  },
  '/organization/get-full-organization': {
    access: 'member',
    summary: 'An organization with its members and teams; null: none is active.',
    mayBeNull: true,
  },
  '/organization/get-active-member': {
    access: 'member',
    summary: "The caller's membership in the active organization.",
  },
  '/organization/get-active-member-role': {
    access: 'member',
    summary: "The caller's role, or another member's.",
    reply: object({ role: { type: 'string' } }),
  },
  '/organization/list-members': {
    access: 'member',
    summary: 'The members of an organization.',
    reply: object({ members: listOf(ref('Member')), total: { type: 'integer' } }),
  },
  '/organization/list-invitations': {
    access: 'member',
    summary: 'The invitations of an organization; empty for callers who may not invite.',
    reply: listOf(ref('Invitation')),
  },
  '/organization/list-user-invitations': { access: 'person', summary: 'Invitations to the address of the caller.' },
  '/organization/get-invitation': { access: 'person', summary: 'An invitation to the address of the caller.' },
  '/organization/list-teams': { access: 'member', summary: 'The teams of an organization.' },
  '/organization/list-user-teams': { access: 'person', summary: "The caller's teams." },
  '/organization/list-team-members': { access: 'member', summary: 'The members of a team.' },
  '/admin/list-users': { access: 'siteAdmin', summary: 'The users of the installation.' },

  '/email-otp/send-verification-otp': {
    access: 'anyone',
    summary: 'Mails a code to sign in with.',
    body: SendCode,
    refuses: [503],
  },
  '/sign-in/email-otp': {
    access: 'anyone',
    summary:
      'Signs in with a code; the session is set as a cookie. If a second factor is needed, the answer is `twoFactorRedirect`.',
    body: SignIn,
  },
  '/sign-in/username': {
    access: 'anyone',
    summary:
      'Signs in with a password and a username or address; the session is set as a cookie. If a second factor is needed, the answer is `twoFactorRedirect`.',
    body: SignInWithPassword,
  },
  '/sign-in/sso': {
    access: 'anyone',
    summary: "Starts a sign-in through an organization's SSO provider; the answer contains the address to redirect to.",
    body: SignInBySso,
    reply: object({ url: text, redirect: { type: 'boolean' } }),
    refuses: [404],
  },
  '/sso/callback/:providerId': {
    access: 'anyone',
    summary:
      'The callback of the SSO provider: redirects into the product, or to a page that explains why the sign-in failed.',
    params: object({ providerId: text }),
    query: { type: 'object', properties: { code: text, state: text, iss: text, error: text } },
    status: 302,
    refuses: [404],
  },
  '/sso/providers': {
    access: 'sso:manage',
    summary: "The organization's SSO providers, without their secrets.",
    query: { type: 'object', properties: { organizationId: text } },
    reply: object({ providers: listOf(SsoProviderReply) }),
  },
  '/sso/register': {
    access: 'sso:manage',
    summary: 'Configures an SSO provider; it is inactive until its domain is verified.',
    body: RegisterSsoProvider,
    reply: SsoProviderReply,
    refuses: [409],
  },
  '/sso/update-provider': {
    access: 'sso:manage',
    summary: 'Switches an SSO provider on or off, or changes its client or the role and team of new members.',
    body: ChangeSsoProvider,
    reply: SsoProviderReply,
    refuses: [404, 409],
  },
  '/sso/verify-domain': {
    access: 'sso:manage',
    summary: 'Verifies the domain by its DNS record or a mailed code, which activates the provider.',
    body: VerifySsoDomain,
    reply: SsoProviderReply,
    refuses: [404, 409, 503],
  },
  '/sso/delete-provider': {
    access: 'sso:manage',
    summary: 'Deletes an SSO provider; nobody can sign in through it any more.',
    body: NameSsoProvider,
    reply: success,
    refuses: [404],
  },
  '/sign-out': { access: 'anyone', summary: 'Ends the session.' },
  '/two-factor/enable': {
    access: 'person',
    summary: 'Creates the secret for an authenticator app; it takes effect once a code of the app was verified.',
    body: EnableSecondFactor,
    reply: object({ secret: text, totpURI: text }),
    refuses: [409],
  },
  '/two-factor/disable': {
    access: 'person',
    summary: 'Removes the second factor.',
    body: ProveSecondFactor,
    reply: success,
    refuses: [409],
  },
  '/two-factor/generate-backup-codes': {
    access: 'person',
    summary: 'Replaces the backup codes; only this answer shows them.',
    body: ProveSecondFactor,
    reply: object({ backupCodes: listOf(text) }),
    refuses: [409],
  },
  '/two-factor/send-otp': {
    access: 'person',
    summary: 'Mails a code that completes a sign-in with a password.',
    body: Nothing,
    reply: success,
    refuses: [409, 503],
  },
  '/two-factor/verify-totp': {
    access: 'person',
    summary: 'Completes a sign-in with a code of the app; or confirms the app and returns the backup codes.',
    body: VerifySecondStep,
    reply: {
      type: 'object',
      properties: { success: { type: 'boolean' }, backupCodes: listOf(text) },
      required: ['success'],
    },
    refuses: [409],
  },
  '/two-factor/verify-otp': {
    access: 'person',
    summary: 'Completes a sign-in with a password with the mailed code.',
    body: VerifySecondStep,
    reply: success,
    refuses: [409],
  },
  '/two-factor/verify-backup-code': {
    access: 'person',
    summary: 'Completes a sign-in with a backup code, which works only once.',
    body: VerifySecondStep,
    reply: success,
    refuses: [409],
  },
  '/revoke-sessions': { access: 'person', summary: 'Ends all sessions of the caller.' },
  '/revoke-other-sessions': { access: 'person', summary: 'Ends all sessions of the caller except this one.' },
  '/update-user': { access: 'person', summary: 'Changes name or picture of the caller.' },
  '/delete-user': {
    access: 'person',
    summary: 'Without a token, mails a confirmation link; with the token, deletes the account.',
    body: DeleteUser,
    refuses: [404, 409, 503],
  },
  '/organization/create': { access: 'person', summary: 'Creates an organization with the caller as its owner.' },
  '/organization/update': { access: 'org:update', summary: 'Changes name, slug or logo of an organization.' },
  '/organization/delete': {
    access: 'org:delete',
    summary: `Deletes an organization and all that is in it in ${deletionGraceDays} days, which an owner can undo; answers it with \`deletesAt\`, when it goes.`,
    reply: ref('Organization'),
    mayBeNull: true,
  },
  '/organization/set-active': {
    access: 'person',
    summary: 'Selects the active organization of the session; null: none.',
    mayBeNull: true,
  },
  '/organization/check-slug': {
    access: 'person',
    summary: 'Whether a slug is available.',
    reply: object({ status: { type: 'boolean' } }),
  },
  '/organization/leave': { access: 'member', summary: 'Leaves an organization.', reply: ref('Member') },
  '/organization/has-permission': { access: 'member', summary: 'Whether the caller may do something.' },
  '/organization/invite-member': { access: 'member:manage', summary: 'Mails an invitation.', refuses: [503] },
  '/organization/accept-invitation': {
    access: 'person',
    summary: 'Accepts an invitation to the address of the caller.',
  },
  '/organization/reject-invitation': {
    access: 'person',
    summary: 'Rejects an invitation to the address of the caller.',
  },
  '/organization/cancel-invitation': {
    access: 'member:manage',
    summary: 'Withdraws an invitation.',
    reply: ref('Invitation'),
  },
  '/organization/update-member-role': {
    access: 'member:manage',
    summary: 'Gives a member another role.',
    reply: ref('Member'),
  },
  '/organization/remove-member': { access: 'member:manage', summary: 'Removes a member from an organization.' },
  '/organization/create-team': { access: 'member:manage', summary: 'Creates a team.' },
  '/organization/update-team': { access: 'member:manage', summary: 'Changes a team.' },
  '/organization/remove-team': { access: 'member:manage', summary: 'Removes a team.' },
  '/organization/add-team-member': { access: 'member:manage', summary: 'Adds a member to a team.' },
  '/organization/remove-team-member': { access: 'member:manage', summary: 'Removes a member from a team.' },
  '/organization/set-active-team': {
    access: 'member',
    summary: 'Selects the active team; null: none.',
    mayBeNull: true,
  },
  '/api-key/list': {
    access: 'integration:manage',
    summary: "The organization's API keys, newest first and masked.",
    query: { type: 'object', properties: { organizationId: text } },
    reply: object({
      apiKeys: listOf(ApiKeyReply),
      total: { type: 'integer' },
      address: { ...text, description: 'From which the caller asks.' },
    }),
  },
  '/api-key/create': {
    access: 'integration:manage',
    summary: 'Creates an API key of the organization; only this answer shows the key.',
    body: CreateApiKey,
    refuses: [409],
  },
  '/api-key/delete': {
    access: 'integration:manage',
    summary: 'Deletes an API key, which stops working at once.',
    body: DeleteApiKey,
    reply: object({ success: { type: 'boolean' } }),
  },
  '/api-key/delete-all-expired-api-keys': {
    access: 'integration:manage',
    summary: "Deletes the organization's API keys that have expired.",
    body: { type: 'object', properties: { organizationId: { type: 'string' } } },
    reply: object({ success: { type: 'boolean' }, error: { type: 'null' }, deleted: { type: 'integer' } }),
  },
  '/admin/create-user': {
    access: 'siteAdmin',
    summary: 'Creates an account; with a password it also gets a username derived from the address.',
  },
  '/admin/set-role': { access: 'siteAdmin', summary: 'Makes a user a site administrator, or revokes that.' },
  '/admin/ban-user': { access: 'siteAdmin', summary: 'Bans a user.' },
  '/admin/unban-user': { access: 'siteAdmin', summary: 'Lifts the ban of a user.' },
  '/admin/remove-user': { access: 'siteAdmin', summary: 'Deletes an account.' },
  '/admin/impersonate-user': { access: 'siteAdmin', summary: 'Starts impersonating another user.' },
  '/admin/stop-impersonating': {
    access: 'person',
    summary: 'Stops impersonating another user.',
    reply: object({ session: ref('Session'), user: ref('User') }),
  },
  '/admin/revoke-user-sessions': { access: 'siteAdmin', summary: 'Ends all sessions of a user.' },
  '/admin/revoke-user-session': {
    access: 'siteAdmin',
    summary: 'Ends one session of a user, by its id.',
    body: NameSession,
    reply: success,
    refuses: [404],
  },
  '/admin/list-user-sessions': {
    access: 'siteAdmin',
    summary: 'The sessions of a user. `token` is the id of the session, for ending it; it is not a credential.',
    body: NameUser,
    reply: object({ sessions: listOf({ type: 'object' }) }),
    refuses: [404],
  },
  '/admin/set-user-password': {
    access: 'siteAdmin',
    summary: 'Sets the password of a user, and a username if there is none; the user is notified by mail.',
    body: SetUserPassword,
    reply: object({ status: { type: 'boolean' } }),
    refuses: [404],
  },
  '/admin/has-permission': { access: 'person', summary: 'Whether the caller may do something on the whole site.' },
}

import type { ApiKeyEntry } from '#shared/auth/api-keys.ts'
import type { SsoProvider, TokenAuthentication } from '#shared/auth/sso.ts'
import type { WireError } from '#shared/kernel/error.ts'
import type { Capability, OrgRole } from '#shared/kernel/permissions.ts'
import { ApiError } from './api-error.ts'

interface Refusal extends Partial<WireError> {}

/** The message of a call without an answer. Pages show a text by its code. */
const fetchFailed = 'Fetch related error. Captured by catchAllError option.'

/** Listeners for changes of session, person or organization. Browser only. */
const listeners = new Set<(path: string) => void>()

/** Calls the listener with the path of each call that changes something. Returns a function that unsubscribes. */
export const onAuthChange = (listener: (path: string) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response
  try {
    response = await fetch(`/api/auth${path}`, { ...init, credentials: 'same-origin' })
  } catch (error) {
    throw new ApiError({ status: 0, code: 'APP_OFFLINE', message: fetchFailed, cause: error })
  }
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer as T
  const { code = 'APP_UNAVAILABLE', message = '', requestId, details } = (answer ?? {}) as Refusal
  const { status, statusText } = response
  throw new ApiError({ status, code, message, requestId, details, statusText, body: answer })
}

/** Calls better-auth. Errors are `ApiError`, with a text in the reader's language. */
export async function callAuth<T>(path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const answer = await ask<T>(path, { method: 'POST', headers, body: JSON.stringify(body) })
  for (const listener of listeners) listener(path)
  return answer
}

/** Mails a six-digit code. Does not reveal whether the address belongs to an account. */
export const sendCode = (email: string) => callAuth('/email-otp/send-verification-otp', { email, type: 'sign-in' })
export const signIn = (email: string, otp: string) => callAuth('/sign-in/email-otp', { email, otp })
export const signInWithPassword = (username: string, password: string) =>
  callAuth('/sign-in/username', { username, password })
/** The calls for the second factor. */
export const twoFactor = {
  enable: (proof: { currentPassword?: string; code?: string; secondCode?: string }) =>
    callAuth<{ secret: string; totpURI: string }>('/two-factor/enable', proof),
  /** Confirms the authenticator app that was just set up. */
  confirm: (code: string) => callAuth<{ backupCodes: string[] }>('/two-factor/verify-totp', { code }),
  disable: (secondCode: string) => callAuth('/two-factor/disable', { secondCode }),
  renewBackupCodes: (secondCode: string) =>
    callAuth<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', { secondCode }),
}
export const signOut = () => callAuth('/sign-out', {})
export const renamePerson = (name: string) => callAuth('/update-user', { name })
export const createOrganization = (name: string, slug: string) =>
  callAuth<{ id: string; slug: string }>('/organization/create', { name, slug })
export const updateOrganization = (
  organizationId: string,
  data: { name?: string; slug?: string; logo?: string | null },
) => callAuth('/organization/update', { organizationId, data })
export const updateMemberRole = (organizationId: string, memberId: string, role: OrgRole) =>
  callAuth('/organization/update-member-role', { organizationId, memberId, role })
/** Mails an invitation. A pending one for the same address is replaced. */
export const inviteMember = (
  organizationId: string,
  email: string,
  role: string,
  /** `resend`: mails the pending one again and extends it. */
  options: { teamId?: string; resend?: boolean } = {},
) => callAuth('/organization/invite-member', { organizationId, email, role, ...options })
export const cancelInvitation = (invitationId: string) => callAuth('/organization/cancel-invitation', { invitationId })
/** @param member id of the membership. */
export const removeMember = (organizationId: string, member: string) =>
  callAuth('/organization/remove-member', { organizationId, memberIdOrEmail: member })
interface TeamText {
  readonly name: string
  readonly description: string
}
export const createTeam = (organizationId: string, { name, description }: TeamText) =>
  callAuth<{ id: string }>('/organization/create-team', { organizationId, name, description })
export const updateTeam = (organizationId: string, teamId: string, { name, description }: TeamText) =>
  callAuth('/organization/update-team', { teamId, data: { organizationId, name, description } })
export const removeTeam = (organizationId: string, teamId: string) =>
  callAuth('/organization/remove-team', { organizationId, teamId })
export const addTeamMember = (organizationId: string, teamId: string, userId: string) =>
  callAuth('/organization/add-team-member', { organizationId, teamId, userId })
export const removeTeamMember = (organizationId: string, teamId: string, userId: string) =>
  callAuth('/organization/remove-team-member', { organizationId, teamId, userId })
export const signOutElsewhere = () => callAuth('/revoke-other-sessions', {})
/** Ends all of the person's sessions, including this one. */
export const signOutEverywhere = () => callAuth('/revoke-sessions', {})
/** Mails the link that deletes the account. The link leads to the login page. */
export const askToDeleteAccount = () => callAuth('/delete-user', { callbackURL: '/login' })
/** Confirms with the mailed token. The account is deleted at once. */
export const deleteAccount = (token: string) => callAuth('/delete-user', { token })
export const setActiveOrganization = (organizationId: string) =>
  callAuth('/organization/set-active', { organizationId })

/** Site administrators' calls on accounts. */
export const siteAdmin = {
  ban: (userId: string, banReason: string, banExpiresIn: number | null) =>
    callAuth('/admin/ban-user', { userId, banReason, ...(banExpiresIn === null ? {} : { banExpiresIn }) }),
  unban: (userId: string) => callAuth('/admin/unban-user', { userId }),
  endSessions: (userId: string) => callAuth('/admin/revoke-user-sessions', { userId }),
  setRole: (userId: string, role: 'admin' | 'user') => callAuth('/admin/set-role', { userId, role }),
  /** Signs this browser in as that person, for an hour at most. */
  actAs: (userId: string) => callAuth('/admin/impersonate-user', { userId }),
}
export const stopImpersonating = () => callAuth('/admin/stop-impersonating', {})

export const listApiKeys = (organizationId: string) =>
  ask<{ apiKeys: readonly ApiKeyEntry[]; address: string }>(
    `/api-key/list?${new URLSearchParams({ organizationId })}`,
    {
      headers: { accept: 'application/json' },
    },
  )
/** Returns the key, which is shown only once. */
export const createApiKey = (
  organizationId: string,
  /**
   * `expiresIn` is in seconds; null means that the key never expires. If `scopes` is null, only its creator's role
   * limits the key; if `networks` is null, it may be used from anywhere.
   */
  facts: {
    name: string
    expiresIn: number | null
    scopes: readonly Capability[] | null
    networks: readonly string[] | null
  },
) =>
  callAuth<{ id: string; key: string }>('/api-key/create', { organizationId, metadata: { tier: 'premium' }, ...facts })
export const deleteApiKey = (keyId: string) => callAuth('/api-key/delete', { keyId })
export const deleteExpiredApiKeys = (organizationId: string) =>
  callAuth('/api-key/delete-all-expired-api-keys', { organizationId })

export const listSsoProviders = (organizationId: string) =>
  ask<{ providers: readonly SsoProvider[] }>(`/sso/providers?${new URLSearchParams({ organizationId })}`, {
    headers: { accept: 'application/json' },
  })
export interface SsoRegistration {
  readonly providerId: string
  readonly domain: string
  readonly clientId: string
  readonly clientSecret: string
  readonly issuer?: string
  readonly authorizationEndpoint?: string
  readonly tokenEndpoint?: string
  readonly userInfoEndpoint?: string
  readonly jwksEndpoint?: string
  readonly tokenEndpointAuthentication?: TokenAuthentication
  readonly role: OrgRole
  readonly teamId: string | null
}
export const registerSsoProvider = (organizationId: string, provider: SsoRegistration) =>
  callAuth<SsoProvider>('/sso/register', {
    organizationId,
    ...provider,
    mapping: { id: 'sub', email: 'email', name: 'name' },
  })
export const setSsoStatus = (providerId: string, status: SsoProvider['status']) =>
  callAuth<SsoProvider>('/sso/update-provider', { providerId, status })
/** Verifies the domain by its DNS record or, with `code`, by a mailed code. */
export const verifySsoDomain = (providerId: string, code?: string) =>
  callAuth<SsoProvider>('/sso/verify-domain', { providerId, ...(code === undefined ? {} : { code }) })
export const deleteSsoProvider = (providerId: string) => callAuth('/sso/delete-provider', { providerId })
/** Returns the provider's address, where the browser continues. */
export const beginSso = (facts: { providerId: string; email?: string; callbackURL?: string }) =>
  callAuth<{ url: string; redirect: boolean }>('/sign-in/sso', facts)

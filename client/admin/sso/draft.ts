import type { SsoRegistration } from '#client/app/calls/auth-api.ts'
import {
  type SsoDiscovery,
  type SsoEndpoints,
  ssoIdAlphabet,
  ssoIdBase,
  ssoIdSuffixLength,
  type TokenAuthentication,
} from '#shared/auth/sso.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'

/** The form's values. Empty addresses are discovered or derived by the server. */
export interface SsoDraft extends SsoEndpoints {
  readonly providerId: string
  readonly domain: string
  readonly clientId: string
  readonly clientSecret: string
  readonly issuer: string
  readonly tokenAuthentication: TokenAuthentication | undefined
  readonly role: OrgRole
  readonly teamId: string
}

export const addressFields = [
  'issuer',
  'authorizationEndpoint',
  'tokenEndpoint',
  'userInfoEndpoint',
  'jwksEndpoint',
] as const
export const requiredFields = ['domain', 'clientId', 'clientSecret'] as const
export type RequiredField = (typeof requiredFields)[number]

/**
 * The prefix with five random characters. Values beyond the last full alphabet are drawn again, so that each character
 * is equally likely.
 */
const createProviderId = (): string => {
  const { length } = ssoIdAlphabet
  const most = 256 - (256 % length)
  let suffix = ''
  while (suffix.length < ssoIdSuffixLength)
    for (const byte of crypto.getRandomValues(new Uint8Array(16)))
      if (byte < most && suffix.length < ssoIdSuffixLength) suffix += ssoIdAlphabet[byte % length]
  return ssoIdBase + suffix
}

export const emptyDraft = (): SsoDraft => ({
  providerId: createProviderId(),
  domain: '',
  clientId: '',
  clientSecret: '',
  issuer: '',
  authorizationEndpoint: '',
  tokenEndpoint: '',
  userInfoEndpoint: '',
  jwksEndpoint: '',
  tokenAuthentication: undefined,
  role: 'member',
  teamId: '',
})

/** Fills in the addresses that the provider publishes. */
export const withFound = (draft: SsoDraft, { isPublished: _, ...found }: SsoDiscovery): SsoDraft => ({
  ...draft,
  ...found,
})

/** The request, without empty fields. */
export const registrationOf = (draft: SsoDraft): SsoRegistration => {
  const addresses = addressFields.map(field => [field, draft[field].trim()] as const).filter(([, value]) => value)
  return {
    providerId: draft.providerId,
    domain: draft.domain.trim(),
    clientId: draft.clientId.trim(),
    clientSecret: draft.clientSecret.trim(),
    ...Object.fromEntries(addresses),
    ...(draft.tokenAuthentication ? { tokenEndpointAuthentication: draft.tokenAuthentication } : {}),
    role: draft.role,
    teamId: draft.teamId || null,
  }
}

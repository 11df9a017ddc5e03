import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable } from '#shared/kernel/list.ts'
import { orgRoles } from '#shared/kernel/permissions.ts'
import { PRODUCT_KEY } from '#shared/kernel/product.ts'

/** The prefix of every provider's id; `ssoIdSuffixLength` random characters follow. */
export const ssoIdBase = `${PRODUCT_KEY}-`
export const ssoIdSuffixLength = 5
export const ssoIdAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
export const ssoIdPattern = `^${ssoIdBase}[a-z0-9]{${ssoIdSuffixLength}}$`
export const maxSsoProviders = 20
/** Mailboxes whose readers administer the domain. Mail providers do not give these addresses to users. */
export const domainMailboxes = ['admin', 'administrator', 'hostmaster', 'postmaster', 'webmaster'] as const
/** Roles for people who join by a provider; owners are made of members. */
export const ssoRoles = orgRoles.filter(role => role !== 'owner')

/** Where the provider sends people back to, below PUBLIC_URL. */
export const ssoCallbackPath = (providerId: string): string => `/api/auth/sso/callback/${providerId}`

const address = Type.String({ minLength: 1, maxLength: 2048, description: 'https, a public name, the usual port.' })
export const tokenAuthentications = ['client_secret_basic', 'client_secret_post'] as const
export type TokenAuthentication = (typeof tokenAuthentications)[number]

export const ssoEndpointFields = {
  authorizationEndpoint: address,
  tokenEndpoint: address,
  userInfoEndpoint: address,
  jwksEndpoint: address,
}
export const SsoEndpoints = Type.Object(ssoEndpointFields, { additionalProperties: false })
export type SsoEndpoints = Static<typeof SsoEndpoints>

/** The endpoints of a provider without discovery document, guessed from the domain. @see spec §3 */
export const derivedSsoEndpoints = (domain: string): SsoEndpoints => ({
  authorizationEndpoint: `https://${domain}/authorize`,
  tokenEndpoint: `https://${domain}/token`,
  userInfoEndpoint: `https://${domain}/me`,
  jwksEndpoint: `https://${domain}/jwks`,
})

/** A provider as administrators see it, without its secret. */
export interface SsoProvider extends SsoEndpoints {
  /** The same as `providerId`. */
  readonly id: string
  readonly providerId: string
  readonly name: string
  readonly domain: string
  readonly status: 'active' | 'inactive'
  readonly createdAt: string
  readonly issuer: string
  readonly clientId: string
  readonly role: string
  readonly teamId: string | null
  /** Null: not verified yet; `domainRecord` must be in the domain's DNS. */
  readonly domainVerifiedAt: string | null
  /** How it was verified. `mail` alone does not link existing accounts. */
  readonly domainProof: 'dns' | 'mail' | null
  readonly domainRecord: { readonly name: string; readonly value: string }
  readonly callbackUrl: string
}

export const SsoOffer = Type.Object({
  providerId: Type.String(),
  name: Type.String(),
  domain: Type.String(),
})
export type SsoOffer = Static<typeof SsoOffer>

export const SsoDiscovery = Type.Object({
  isPublished: Type.Boolean({ description: 'False: the provider tells none, and these are derived from the domain.' }),
  issuer: Type.String(),
  ...ssoEndpointFields,
  tokenAuthentication: Type.Enum(tokenAuthentications),
})
export type SsoDiscovery = Static<typeof SsoDiscovery>

/** The checks of a provider's test, in order. */
export const ssoCheckNames = ['answers', 'issuer', 'keys', 'client'] as const
export type SsoCheckName = (typeof ssoCheckNames)[number]
/** Why a check failed. */
const ssoCheckFaults = [
  'address',
  'private',
  'timeout',
  'unreachable',
  'status',
  'issuerDiffers',
  'noKeys',
  'secretRefused',
  'unexpected',
] as const
export type SsoCheckFault = (typeof ssoCheckFaults)[number]

export const SsoCheck = Type.Object({
  name: Type.Enum(ssoCheckNames),
  state: Type.Enum(['passed', 'failed', 'skipped'], { description: 'skipped: an earlier one has to pass first.' }),
  fault: Nullable(Type.Enum(ssoCheckFaults)),
  detail: Nullable(Type.String({ description: 'What the provider said, cut short.' })),
  ms: Nullable(Type.Integer({ minimum: 0 })),
})
export type SsoCheck = Static<typeof SsoCheck>

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const strict = { additionalProperties: false } as const

const SsoDemand = Type.Object({
  isRequired: Type.Boolean(),
  exemptId: Nullable(Type.String({ description: 'Whose the name is.' })),
  exemptName: Nullable(Type.String({ description: 'The owner who keeps the other ways in, for emergencies.' })),
  membersWithout: Type.Integer({ minimum: 0, description: 'Other members who have not come by a provider yet.' }),
})

/** In addition to the calls at `/api/auth/sso/` and `/api/auth/sign-in/sso`. */
export const ssoApi = {
  findOffer: endpoint({
    method: 'GET',
    path: '/sso/offer',
    access: 'anyone',
    query: Type.Object(
      {
        organization: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Its slug.' })),
        domain: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: "Of somebody's address." })),
      },
      strict,
    ),
    reply: Type.Object({ offer: Nullable(SsoOffer) }),
    summary: 'The active provider by which people of a domain, or of an organization, sign in; null: there is none.',
  }),
  getDemand: endpoint({
    method: 'GET',
    path: '/organization/sso',
    access: 'security:manage',
    peopleOnly: true,
    reply: SsoDemand,
    summary: 'Whether the organization is open by single sign-on alone, and for how many that would be new.',
  }),
  setDemand: endpoint({
    method: 'PUT',
    path: '/organization/sso',
    access: 'security:manage',
    peopleOnly: true,
    body: Type.Object({ isRequired: Type.Boolean() }, strict),
    reply: SsoDemand,
    refuses: [409],
    summary: 'Opens the organization by single sign-on alone, but for the caller; or in every way again.',
  }),
  discover: endpoint({
    method: 'POST',
    path: '/sso/discovery',
    access: 'sso:manage',
    peopleOnly: true,
    body: Type.Object({ domain: text(253), issuer: Type.Optional(address) }, strict),
    reply: SsoDiscovery,
    summary: 'The addresses that a provider publishes; derived from the domain when it publishes none.',
  }),
  sendDomainCode: endpoint({
    method: 'POST',
    path: '/sso/domain-code',
    access: 'sso:manage',
    peopleOnly: true,
    body: Type.Object(
      { providerId: Type.String({ pattern: ssoIdPattern }), mailbox: Type.Enum(domainMailboxes) },
      strict,
    ),
    reply: Type.Object({ to: Type.String(), hours: Type.Integer({ description: 'For how long the code is good.' }) }),
    refuses: [404, 409, 422, 503],
    summary: 'Mails a code to who administers the domain of a provider; it stands for the record in the DNS.',
  }),
  test: endpoint({
    method: 'POST',
    path: '/sso/test',
    access: 'sso:manage',
    peopleOnly: true,
    body: Type.Object(
      {
        providerId: Type.Optional(
          Type.String({ pattern: ssoIdPattern, description: 'One that is configured; absent: the rest is given.' }),
        ),
        issuer: Type.Optional(address),
        clientId: Type.Optional(text(512)),
        clientSecret: Type.Optional(text(2048)),
        tokenEndpoint: Type.Optional(address),
        jwksEndpoint: Type.Optional(address),
        tokenAuthentication: Type.Optional(Type.Enum(tokenAuthentications)),
      },
      strict,
    ),
    reply: Type.Object({ checks: Type.Array(SsoCheck) }),
    refuses: [404],
    summary: 'Asks a provider for its keys and shows it the client; answers what is wrong.',
  }),
} as const

/** Why a sign-in by a provider failed; in the address of the login page. */
const ssoFailures = [
  'expired',
  'refused',
  'inactive',
  'unavailable',
  'untrusted',
  'unverified',
  'otherDomain',
  'otherAccount',
  'ownSignIn',
  'domainUnproven',
  'banned',
  'full',
] as const
export type SsoFailure = (typeof ssoFailures)[number]

export const isSsoFailure = (value: unknown): value is SsoFailure => (ssoFailures as readonly unknown[]).includes(value)

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

/** The provider's redirect address, below PUBLIC_URL. */
export const ssoCallbackPath = (providerId: string): string => `/api/auth/sso/callback/${providerId}`

const address = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'An https address with a public host name and the default port.',
})
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

/** The endpoints of a provider without discovery document, guessed from the domain. */
export const derivedSsoEndpoints = (domain: string): SsoEndpoints => ({
  authorizationEndpoint: `https://${domain}/authorize`,
  tokenEndpoint: `https://${domain}/token`,
  userInfoEndpoint: `https://${domain}/me`,
  jwksEndpoint: `https://${domain}/jwks`,
})

/** A provider as administrators see it, without its secret. */
export interface SsoProvider extends SsoEndpoints {
  /** Equals `providerId`. */
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
  /** The proof by which it was verified. `mail` alone does not link existing accounts. */
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
  isPublished: Type.Boolean({
    description: 'False: the provider publishes no addresses; these are derived from the domain.',
  }),
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
  state: Type.Enum(['passed', 'failed', 'skipped'], { description: 'skipped: an earlier check failed.' }),
  fault: Nullable(Type.Enum(ssoCheckFaults)),
  detail: Nullable(Type.String({ description: 'The answer of the provider, shortened.' })),
  ms: Nullable(Type.Integer({ minimum: 0 })),
})
export type SsoCheck = Static<typeof SsoCheck>

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const strict = { additionalProperties: false } as const

const SsoDemand = Type.Object({
  isRequired: Type.Boolean(),
  exemptId: Nullable(Type.String({ description: 'Id of the exempt owner.' })),
  exemptName: Nullable(
    Type.String({ description: 'Name of the owner who can still sign in without SSO, for emergencies.' }),
  ),
  membersWithout: Type.Integer({
    minimum: 0,
    description: 'Other members who have never signed in through a provider.',
  }),
})

/** The calls besides those at `/api/auth/sso/` and `/api/auth/sign-in/sso`. */
export const ssoApi = {
  findOffer: endpoint({
    method: 'GET',
    path: '/sso/offer',
    access: 'anyone',
    query: Type.Object(
      {
        organization: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: 'Slug of the organization.' }),
        ),
        domain: Type.Optional(
          Type.String({ minLength: 1, maxLength: 253, description: 'Domain of an email address.' }),
        ),
      },
      strict,
    ),
    reply: Type.Object({ offer: Nullable(SsoOffer) }),
    summary: 'The active SSO provider of a domain or an organization; null: there is none.',
  }),
  getDemand: endpoint({
    method: 'GET',
    path: '/organization/sso',
    access: 'security:manage',
    peopleOnly: true,
    reply: SsoDemand,
    summary: 'Whether the organization requires single sign-on, and how many members have not used it yet.',
  }),
  setDemand: endpoint({
    method: 'PUT',
    path: '/organization/sso',
    access: 'security:manage',
    peopleOnly: true,
    body: Type.Object({ isRequired: Type.Boolean() }, strict),
    reply: SsoDemand,
    refuses: [409],
    summary: 'Requires single sign-on of every member except the caller, or stops requiring it.',
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
    reply: Type.Object({
      to: Type.String(),
      hours: Type.Integer({ description: 'Hours for which the code is valid.' }),
    }),
    refuses: [404, 409, 422, 503],
    summary:
      "Mails a code to the administrator of a provider's domain; it verifies the domain instead of the DNS record.",
  }),
  test: endpoint({
    method: 'POST',
    path: '/sso/test',
    access: 'sso:manage',
    peopleOnly: true,
    body: Type.Object(
      {
        providerId: Type.Optional(
          Type.String({
            pattern: ssoIdPattern,
            description: 'Id of a configured provider; absent: the other fields describe the provider.',
          }),
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
    summary: 'Tests a provider: fetches its keys and presents the client to it; returns the faults found.',
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

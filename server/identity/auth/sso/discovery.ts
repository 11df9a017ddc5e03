import { OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { derivedSsoEndpoints, type SsoDiscovery, type SsoEndpoints } from '#shared/auth/sso.ts'
import { type IdentityProvider, objectOf } from './identity-provider.ts'

const names = {
  authorizationEndpoint: 'authorization_endpoint',
  tokenEndpoint: 'token_endpoint',
  userInfoEndpoint: 'userinfo_endpoint',
  jwksEndpoint: 'jwks_uri',
} as const

type Published = Readonly<Record<string, unknown>>

/** Undefined: one of the four is missing or must not be called. */
const readEndpoints = (
  published: Published,
  { mayCall }: Pick<IdentityProvider, 'mayCall'>,
): SsoEndpoints | undefined => {
  const read = Object.entries(names).map(([field, name]) => [field, published[name]] as const)
  const isWhole = read.every(([, value]) => typeof value === 'string' && mayCall(value))
  return isWhole ? (Object.fromEntries(read) as unknown as SsoEndpoints) : undefined
}

/** A provider that lists no method accepts `client_secret_basic`. @see OpenID Connect Discovery §3 */
const readAuthentication = (published: Published): SsoDiscovery['tokenAuthentication'] => {
  const offered = published.token_endpoint_auth_methods_supported
  if (!Array.isArray(offered) || offered.includes('client_secret_basic')) return 'client_secret_basic'
  return 'client_secret_post'
}

/** Ignores a trailing slash, which providers use inconsistently. */
const isSameIssuer = (a: unknown, b: string): a is string =>
  typeof a === 'string' && a.replace(/\/$/, '') === b.replace(/\/$/, '')

/** The provider's discovery document; undefined: none, or not usable. Does not throw for remote failures. */
async function findPublished(
  identityProvider: IdentityProvider,
  issuer: string,
): Promise<Omit<SsoDiscovery, 'isPublished'> | undefined> {
  try {
    const answer = await identityProvider.discover(issuer)
    const published = answer.status === 200 ? objectOf(answer) : undefined
    if (!published || !isSameIssuer(published.issuer, issuer)) return undefined
    const endpoints = readEndpoints(published, identityProvider)
    return endpoints && { issuer: published.issuer, ...endpoints, tokenAuthentication: readAuthentication(published) }
  } catch (error) {
    if (error instanceof OutboundFailure) return undefined
    throw error
  }
}

/** A provider's endpoints, published or derived from the domain. */
export async function discoverEndpoints(
  identityProvider: IdentityProvider,
  { domain, issuer = `https://${domain}` }: { readonly domain: string; readonly issuer?: string | undefined },
): Promise<SsoDiscovery> {
  const published = await findPublished(identityProvider, issuer)
  if (published) return { isPublished: true, ...published }
  return { isPublished: false, issuer, ...derivedSsoEndpoints(domain), tokenAuthentication: 'client_secret_basic' }
}

import type { Outbound, OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import type { TokenAuthentication } from '#shared/auth/sso.ts'

/** The facts with which a provider is called as its client. */
export interface ProviderClient {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly tokenEndpoint: string
  readonly userInfoEndpoint: string
  readonly jwksEndpoint: string
  readonly tokenAuthentication: TokenAuthentication
}

interface CodeGrant {
  readonly code: string
  readonly redirectUri: string
  readonly codeVerifier: string
}

/** Our calls to an identity provider. None follows a redirect. Each throws OutboundFailure if there is no answer. */
export interface IdentityProvider {
  mayCall: Outbound['mayCall']
  discover(issuer: string): Promise<OutboundAnswer>
  takeCode(client: ProviderClient, grant: CodeGrant): Promise<OutboundAnswer>
  listKeys(jwksEndpoint: string): Promise<OutboundAnswer>
  fetchUserInfo(userInfoEndpoint: string, accessToken: string): Promise<OutboundAnswer>
}

const timeoutMs = 8_000
/** Enough for a provider with hundreds of keys, but bounds an endless reply. */
const maxBytes = 256 * 1024
const json = { accept: 'application/json' }

/** Names and secrets are form-encoded before they become a password. @see RFC 6749 §2.3.1 */
const basic = ({ clientId, clientSecret }: ProviderClient): string => {
  const encoded = [clientId, clientSecret].map(one => new URLSearchParams([['', one]]).toString().slice(1))
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
}

export const createIdentityProvider = ({ outbound }: { outbound: Outbound }): IdentityProvider => ({
  mayCall: outbound.mayCall,
  discover: issuer =>
    outbound.call(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      headers: json,
      timeoutMs,
      maxBytes,
    }),
  takeCode(client, { code, redirectUri, codeVerifier }) {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    })
    const isBasic = client.tokenAuthentication === 'client_secret_basic'
    if (!isBasic) {
      form.set('client_id', client.clientId)
      form.set('client_secret', client.clientSecret)
    }
    return outbound.call(client.tokenEndpoint, {
      method: 'POST',
      headers: {
        ...json,
        'content-type': 'application/x-www-form-urlencoded',
        ...(isBasic ? { authorization: basic(client) } : {}),
      },
      body: form.toString(),
      timeoutMs,
      maxBytes,
    })
  },
  listKeys: jwksEndpoint => outbound.call(jwksEndpoint, { headers: json, timeoutMs, maxBytes }),
  fetchUserInfo: (userInfoEndpoint, accessToken) =>
    outbound.call(userInfoEndpoint, {
      headers: { ...json, authorization: `Bearer ${accessToken}` },
      timeoutMs,
      maxBytes,
    }),
})

/** The JSON object in an answer's body; undefined: none. */
export const objectOf = ({ body }: OutboundAnswer): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

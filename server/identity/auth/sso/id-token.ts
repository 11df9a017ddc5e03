import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { SsoRefused } from './failure.ts'

/** Only signatures with a key pair: with `none`, or a shared secret, others could sign too. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
const clockToleranceSeconds = 60
/** The token must have been issued for this sign-in. */
const oldestSeconds = 600

interface Expected {
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string
  readonly now: Date
}

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  typeof value === 'object' && value !== null && Array.isArray((value as { keys?: unknown }).keys)

const hasRightParty = ({ aud, azp }: JWTPayload, clientId: string): boolean => {
  if (azp !== undefined) return azp === clientId
  return !Array.isArray(aud) || aud.length === 1
}

/**
 * Verifies an ID token and returns its claims. @see OpenID Connect Core §3.1.3.7
 * @throws SsoRefused `untrusted`
 */
export async function readIdToken(
  idToken: string,
  keys: unknown,
  { issuer, clientId, nonce, now }: Expected,
): Promise<JWTPayload & { sub: string }> {
  if (!isKeySet(keys)) throw new SsoRefused('untrusted', 'the provider published no key set')
  try {
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys), {
      issuer,
      audience: clientId,
      algorithms,
      currentDate: now,
      clockTolerance: clockToleranceSeconds,
      maxTokenAge: oldestSeconds,
      requiredClaims: ['exp', 'sub', 'nonce'],
    })
    if (payload.nonce !== nonce) throw new SsoRefused('untrusted', 'the ID token was made for another sign-in')
    if (!hasRightParty(payload, clientId)) throw new SsoRefused('untrusted', 'the ID token was made for another party')
    // At most 255 ASCII characters. @see OpenID Connect Core §2
    if (typeof payload.sub !== 'string' || !/^[ -~]{1,255}$/.test(payload.sub))
      throw new SsoRefused('untrusted', 'the ID token has no valid sub')
    return { ...payload, sub: payload.sub }
  } catch (error) {
    if (error instanceof errors.JOSEError)
      throw new SsoRefused('untrusted', `the ID token is invalid: ${error.code}`, { cause: error })
    throw error
  }
}

import type { Vault } from '#server/platform/crypto/secrets.ts'
import { OutboundFailure } from '#server/platform/outbound/outbound.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ReturnedAttempt } from './attempts.ts'
import { type Claimed, hasNeededClaims, readClaimed } from './claims.ts'
import { SsoRefused } from './failure.ts'
import { readIdToken } from './id-token.ts'
import { type IdentityProvider, objectOf } from './identity-provider.ts'
import { clientOf } from './provider-client.ts'
import type { ProviderRow } from './provider-store.ts'

interface ExchangeParts {
  readonly clock: Clock
  readonly vault: Vault
  readonly identityProvider: IdentityProvider
}

/** Exchanges a code at the provider for the person it was issued for. */
export type Exchange = (
  provider: ProviderRow,
  attempt: ReturnedAttempt,
  redirect: { readonly code: string; readonly redirectUri: string },
) => Promise<Claimed>

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Only the error code is logged; free text of a provider is not. */
const faultOf = (answer: Readonly<Record<string, unknown>> | undefined): string => {
  const error = textOf(answer?.error) ?? ''
  return /^[\w-]{1,64}$/.test(error) ? error : 'no word'
}

export function createExchange({ clock, vault, identityProvider }: ExchangeParts): Exchange {
  const fetchTokens = async (provider: ProviderRow, attempt: ReturnedAttempt, code: string, redirectUri: string) => {
    const grant = { code, redirectUri, codeVerifier: attempt.codeVerifier }
    const answer = await identityProvider.takeCode(clientOf(provider, vault), grant)
    const tokens = objectOf(answer)
    if (answer.status >= 500) throw new SsoRefused('unavailable', `the token endpoint answered ${answer.status}`)
    if (answer.status !== 200) throw new SsoRefused('untrusted', `the provider refused the code: ${faultOf(tokens)}`)
    const idToken = textOf(tokens?.id_token)
    if (!idToken) throw new SsoRefused('untrusted', 'the token response has no ID token')
    return { idToken, accessToken: textOf(tokens?.access_token) }
  }

  const listKeys = async ({ jwks_endpoint }: ProviderRow) => {
    const answer = await identityProvider.listKeys(jwks_endpoint)
    if (answer.status !== 200) throw new SsoRefused('unavailable', `the key endpoint answered ${answer.status}`)
    return objectOf(answer)
  }

  /** Fetches user info. It must describe the person of the ID token. */
  const fetchUserInfo = async ({ user_info_endpoint }: ProviderRow, accessToken: string | undefined, sub: string) => {
    if (!accessToken) return {}
    const answer = await identityProvider.fetchUserInfo(user_info_endpoint, accessToken)
    const said = answer.status === 200 ? objectOf(answer) : undefined
    if (!said) throw new SsoRefused('unavailable', `the user-info endpoint answered ${answer.status}`)
    if (said.sub !== sub) throw new SsoRefused('untrusted', 'user info is about another person')
    return said
  }

  return async (provider, attempt, { code, redirectUri }) => {
    try {
      const { idToken, accessToken } = await fetchTokens(provider, attempt, code, redirectUri)
      const claims = await readIdToken(idToken, await listKeys(provider), {
        issuer: provider.issuer,
        clientId: provider.client_id,
        nonce: attempt.nonce,
        now: clock.now(),
      })
      const said = hasNeededClaims(claims, provider) ? {} : await fetchUserInfo(provider, accessToken, claims.sub)
      return readClaimed({ ...said, ...claims }, provider)
    } catch (error) {
      if (error instanceof OutboundFailure)
        throw new SsoRefused('unavailable', `the provider did not answer: ${error.reason}`, { cause: error })
      throw error
    }
  }
}

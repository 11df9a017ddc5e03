import { randomToken } from '#server/platform/crypto/random.ts'
import { type OutboundAnswer, OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { monotonicMs } from '#server/platform/time/clock.ts'
import { type SsoCheck, type SsoCheckFault, type SsoCheckName, ssoCheckNames } from '#shared/auth/sso.ts'
import { type IdentityProvider, objectOf, type ProviderClient } from './identity-provider.ts'

class CheckFailed extends Error {
  readonly fault: SsoCheckFault
  readonly detail: string | null
  constructor(fault: SsoCheckFault, detail: string | null = null) {
    super(fault)
    this.fault = fault
    this.detail = detail
  }
}

const faultOfReason = {
  address: 'address',
  private: 'private',
  timeout: 'timeout',
  redirects: 'unreachable',
  tooLarge: 'unreachable',
  network: 'unreachable',
} as const

/** Only plain words and addresses; nothing else that a server sends is repeated. */
const wordOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w.:/ -]{1,200}$/.test(value) ? value : null

const requireOk = ({ status }: OutboundAnswer) => {
  if (status !== 200) throw new CheckFailed('status', String(status))
}

/**
 * Tests a provider as far as possible without signing in. Checks run in order, and the first failure ends them. The
 * client secret is tested with a made-up code: a provider that rejects the code has accepted the secret.
 */
export async function testProvider(
  identityProvider: IdentityProvider,
  client: ProviderClient,
  redirectUri: string,
): Promise<SsoCheck[]> {
  const checks: Record<SsoCheckName, () => Promise<void>> = {
    async answers() {
      requireOk(await identityProvider.listKeys(client.jwksEndpoint))
    },
    async issuer() {
      const answer = await identityProvider.discover(client.issuer)
      // Discovery is optional.
      if (answer.status === 404) return
      requireOk(answer)
      const issuer = objectOf(answer)?.issuer
      if (issuer !== client.issuer) throw new CheckFailed('issuerDiffers', wordOf(issuer))
    },
    async keys() {
      const keys = objectOf(await identityProvider.listKeys(client.jwksEndpoint))?.keys
      if (!Array.isArray(keys) || keys.length === 0) throw new CheckFailed('noKeys')
    },
    async client() {
      const code = randomToken(16)
      const answer = await identityProvider.takeCode(client, { code, redirectUri, codeVerifier: randomToken(32) })
      const error = wordOf(objectOf(answer)?.error)
      if (answer.status === 401 || error === 'invalid_client' || error === 'unauthorized_client')
        throw new CheckFailed('secretRefused', error)
      if (error !== 'invalid_grant') throw new CheckFailed('unexpected', error ?? String(answer.status))
    },
  }

  const results: SsoCheck[] = []
  let hasFailed = false
  for (const name of ssoCheckNames) {
    if (hasFailed) {
      results.push({ name, state: 'skipped', fault: null, detail: null, ms: null })
      continue
    }
    const begun = monotonicMs()
    const took = () => Math.round(monotonicMs() - begun)
    try {
      await checks[name]()
      results.push({ name, state: 'passed', fault: null, detail: null, ms: took() })
    } catch (error) {
      hasFailed = true
      if (error instanceof CheckFailed)
        results.push({ name, state: 'failed', fault: error.fault, detail: error.detail, ms: null })
      else if (error instanceof OutboundFailure)
        results.push({ name, state: 'failed', fault: faultOfReason[error.reason], detail: null, ms: null })
      else throw error
    }
  }
  return results
}

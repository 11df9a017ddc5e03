import { SignJWT } from 'jose'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { RequestFacts } from '#shared/kernel/contract.ts'
import { type Capability, capabilities, covers, roleCan } from '#shared/kernel/permissions.ts'
import { algorithm, type UpstreamKeys } from './keys.ts'

/** The caller of a call that the upstream answers. */
export type UpstreamCaller = OrgCaller & { readonly request?: RequestFacts }

const tokenSeconds = 60

/** The capabilities of the caller, by role; for a key, also by its scopes. */
const scopesOf = (caller: OrgCaller): Capability[] => {
  const held = caller.kind === 'key' ? caller.capabilities : null
  return capabilities.filter(one => roleCan(caller.role, one) && (!held || covers(held, one)))
}

interface TokenParts {
  readonly keys: Pick<UpstreamKeys, 'signing'>
  readonly clock: Clock
  readonly publicUrl: string
  readonly upstreamUrl: string
}

/** Signs who asks. Nothing of the browser is in it. `server/docs/product-api.md` explains the claims to a backend's author. */
export function createTokens({ keys, clock, publicUrl, upstreamUrl }: TokenParts) {
  const sign = async (subject: string, claims: Readonly<Record<string, unknown>>): Promise<string> => {
    const { id, privateKey } = await keys.signing()
    const now = Math.floor(clock.now().getTime() / 1000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, kid: id, typ: 'JWT' })
      .setIssuer(publicUrl)
      .setAudience(upstreamUrl)
      .setSubject(subject)
      .setIssuedAt(now)
      .setExpirationTime(now + tokenSeconds)
      .sign(privateKey)
  }
  return {
    tokenOf: (caller: UpstreamCaller): Promise<string> =>
      sign(caller.kind === 'key' ? `key:${caller.keyId}` : `person:${caller.userId}`, {
        org: caller.orgId,
        role: caller.role,
        scopes: scopesOf(caller),
        lang: caller.language,
        ...(caller.request ? { rid: caller.request.id } : {}),
      }),
    /** A token of the installation itself, which reads the events of all organizations. It allows nothing else. */
    installationToken: (): Promise<string> => sign('service:events', { scopes: ['events:read'] }),
  }
}

import { SignJWT } from 'jose'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { RequestFacts } from '#shared/kernel/contract.ts'
import { type Capability, capabilities, covers, roleCan } from '#shared/kernel/permissions.ts'
import { algorithm, type UpstreamKeys } from './keys.ts'

/** The caller of a call that the upstream answers. */
export type UpstreamCaller = OrgCaller & { readonly request?: RequestFacts }

const tokenSeconds = 60
/** How long a token goes along with further calls: signing costs more than the rest of a short call. */
const reusedMs = 30_000
/** Tokens kept. Beyond, the oldest is forgotten. */
const maxKept = 5_000

/** What the caller may do: by role, and for a key by what it was made for. */
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
  const kept = new Map<string, { readonly until: number; readonly token: Promise<string> }>()
  return {
    /** The same caller with the same rights gets the same token for a while. */
    tokenOf(caller: UpstreamCaller): Promise<string> {
      const { orgId: org, role, language: lang } = caller
      const [subject, held] =
        caller.kind === 'key' ? [`key:${caller.keyId}`, caller.capabilities] : [`person:${caller.userId}`, null]
      const key = JSON.stringify([subject, org, role, lang, held])
      const now = clock.now().getTime()
      const known = kept.get(key)
      if (known && now < known.until) return known.token
      const token = sign(subject, { org, role, scopes: scopesOf(caller), lang })
      kept.delete(key)
      kept.set(key, { until: now + reusedMs, token })
      if (kept.size > maxKept) kept.delete(kept.keys().next().value as string)
      token.catch(() => kept.delete(key))
      return token
    },
    /** Of the installation itself, which reads the events of all organizations. It admits to nothing else. */
    installationToken: (): Promise<string> => sign('service:events', { scopes: ['events:read'] }),
  }
}

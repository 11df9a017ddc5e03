import type { KeyedHash, Vault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import { allowedBy } from '#server/platform/outbound/allowed.ts'
import { createOutbound, createPublicFetch, createStreamOpener } from '#server/platform/outbound/outbound.ts'
import type { FileStorages } from '#server/platform/storage/storage.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { createUpstreamClient } from './client.ts'
import { createFileAddresses } from './files.ts'
import { createUpstreamKeys } from './keys.ts'
import { createTokens } from './token.ts'

interface ConnectionParts {
  readonly config: { readonly publicUrl: string; readonly outboundAllow: readonly string[] }
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: () => string
  readonly log: Log
  readonly vault: Vault
  readonly hashes: { readonly hash: KeyedHash }
  readonly storages: Pick<FileStorages, 'media'>
}

/** Makes the parts that call the upstream: keys, tokens, and a client that reaches nothing else. */
export function connectUpstream(upstreamUrl: string, parts: ConnectionParts) {
  const { config, clock } = parts
  const isAllowed = allowedBy(config.outboundAllow)
  const keys = createUpstreamKeys(parts)
  const { tokenOf, installationToken } = createTokens({ keys, clock, publicUrl: config.publicUrl, upstreamUrl })
  const reach = {
    fetch: createPublicFetch(undefined, { isAllowed, connections: 64, anyPort: true }),
    mayCall: (address: string) => address === upstreamUrl || address.startsWith(`${upstreamUrl}/`),
  }
  const outbound = createOutbound(reach)
  const openStream = createStreamOpener(reach)
  const fileAddress = createFileAddresses({ ...parts, upstreamUrl })
  const client = createUpstreamClient({
    ...parts,
    upstreamUrl,
    outbound,
    media: parts.storages.media,
    tokenOf,
    fileAddress,
  })
  const events = {
    address: `${upstreamUrl}/sse`,
    open: async (headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> =>
      openStream(events.address, { ...headers, authorization: `Bearer ${await installationToken()}` }, signal),
  }
  return { client, keys, tokenOf, outbound, isAllowed, fileAddress, events }
}

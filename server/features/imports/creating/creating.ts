import type { Vault } from '#server/platform/crypto/secrets.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { goodText } from '#server/platform/text/good-text.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { importsApi } from '#shared/imports/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { connectChatwoot } from '../chatwoot/api/connect.ts'
import { importErrors } from '../errors.ts'
import { countUnfinished, findImport, insertImport, type StoredImport } from '../store.ts'
import { sealToken } from '../work/fetching.ts'
import { announceState } from '../work/state-changes.ts'
import type { ImportWork } from '../work/work.ts'
import { checkMapping } from './mapping.ts'

type CreatingParts = Parameters<typeof checkMapping>[0] & {
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  readonly work: Pick<ImportWork, 'beginFetching'>
  readonly vault: Pick<Vault, 'encrypt'>
  readonly outbound: Pick<Outbound, 'call' | 'mayCall'>
}

type NewImport = Parameters<ServiceOf<typeof importsApi, OrgCaller>['create']>[1]['body']

/** Imports of one organization that have not ended. */
const maxUnfinished = 200

/** Makes an import that waits for its file, or that fetches from Chatwoot at once. @throws InvalidInput, IMPORTS_TOO_MANY */
export async function createImport(
  parts: CreatingParts,
  caller: OrgCaller,
  { source, from, options = {} }: NewImport,
): Promise<StoredImport> {
  const { clock, ids, writes, work } = parts
  const { orgId } = caller
  const { fileName, ...given } = options
  const mapping = await checkMapping(parts, orgId, given, 'body.options')
  if (from && source !== 'chatwoot') throw new InvalidInput([{ field: 'body.from', code: 'unknown', params: {} }])
  const token = from?.token.trim() ?? ''
  const connected = from && (await connectChatwoot(parts.outbound, { address: from.address, token }))
  const now = clock.now()
  return writes.run(orgId, actorOf(caller), async write => {
    if ((await countUnfinished(write.db, orgId)) >= maxUnfinished) throw importErrors.TOO_MANY()
    const id = ids(now.getTime())
    const { address, account, accountName } = connected ?? {}
    const name = fileName ?? (address && `${accountName} (${new URL(address).host})`)
    await insertImport(write.db, orgId, {
      id,
      source,
      mapping,
      author_id: callerId(caller),
      author_name: caller.name,
      file_name: name === undefined ? null : goodText(name).replace(/\p{Cc}/gu, ' '),
      state: connected ? 'reading' : 'uploading',
      remote: address && account ? { address, account, cursor: { phase: 'head' }, troubles: 0 } : null,
      token: connected ? sealToken(parts.vault, orgId, id, token) : null,
      created_at: now.toISOString(),
    })
    if (connected) await work.beginFetching(write, id)
    const one = (await findImport(write.db, orgId, id)) as StoredImport
    if (connected) announceState(write, one)
    return one
  })
}

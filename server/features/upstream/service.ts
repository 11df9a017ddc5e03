import { hasConnectedNumber } from '#server/identity/numbers/outside-number.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { upstreamApi } from '#shared/upstream/api.ts'
import { inboxCalls, numberCall, passedCalls } from './calls.ts'
import type { UpstreamClient } from './client.ts'
import { lastReceivedAt } from './events/store.ts'
import { findStream } from './events/stream-store.ts'

type UpstreamService = ServiceOf<typeof upstreamApi, OrgCaller>

/** The service without an upstream. */
export const withoutUpstream: UpstreamService = {
  getUpstream: () => ({ address: null, lastEventAt: null, stream: null, calls: [] }),
}

interface ServiceParts {
  readonly upstreamUrl: string
  /** Undefined: the upstream posts its events. */
  readonly streamAddress: string | undefined
  readonly databases: Databases
  readonly client: Pick<UpstreamClient, 'figuresOf'>
}

/** Tells how the upstream answers. */
export const createUpstreamService = ({
  upstreamUrl,
  streamAddress,
  databases,
  client,
}: ServiceParts): UpstreamService => ({
  async getUpstream(caller) {
    const { orgId } = caller
    if (await hasConnectedNumber(databases.read, orgId)) return withoutUpstream.getUpstream(caller, {})
    const calls = [numberCall, ...passedCalls, ...Object.values(inboxCalls)].flatMap(asked => {
      const figures = client.figuresOf(orgId, asked)
      return figures ? [{ call: `${asked.endpoint.method} ${asked.endpoint.path}`, ...figures }] : []
    })
    calls.sort((a, b) => b.failures - a.failures || b.count - a.count)
    const found = streamAddress === undefined ? undefined : await findStream(databases.read, streamAddress)
    const stream = found && {
      state: found.state,
      since: found.changedAt,
      detail: found.detail,
      refused: found.refused,
      refusedField: found.refusedField,
    }
    const lastEventAt = await lastReceivedAt(databases.read, orgId)
    return { address: upstreamUrl, lastEventAt, stream: stream ?? null, calls }
  },
})

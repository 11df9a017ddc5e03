import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { upstreamApi } from '#shared/upstream/api.ts'
import { inboxCalls, numberCall, passedCalls } from './calls.ts'
import type { UpstreamClient } from './client.ts'
import { lastReceivedAt } from './event-store.ts'

type UpstreamService = ServiceOf<typeof upstreamApi, OrgCaller>

/** Without an upstream there is nothing to say. */
export const withoutUpstream: UpstreamService = { getUpstream: () => ({ address: null, lastEventAt: null, calls: [] }) }

interface ServiceParts {
  readonly upstreamUrl: string
  readonly databases: Databases
  readonly client: Pick<UpstreamClient, 'figuresOf'>
}

/** Tells how the upstream answers. */
export const createUpstreamService = ({ upstreamUrl, databases, client }: ServiceParts): UpstreamService => ({
  async getUpstream({ orgId }) {
    const calls = [numberCall, ...passedCalls, ...Object.values(inboxCalls)].flatMap(asked => {
      const figures = client.figuresOf(orgId, asked)
      return figures ? [{ call: `${asked.endpoint.method} ${asked.endpoint.path}`, ...figures }] : []
    })
    calls.sort((a, b) => b.failures - a.failures || b.count - a.count)
    return { address: upstreamUrl, lastEventAt: await lastReceivedAt(databases.read, orgId), calls }
  },
})

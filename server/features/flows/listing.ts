import { type FlowSummary, flowsPerPage, maxFlows, maxVariablesListed } from '#shared/flows/api.ts'
import type { FlowService, FlowServiceParts } from './service-parts.ts'
import { flowState, present, shortened } from './shown.ts'
import { listFlows, listPlaces } from './store.ts'
import { countWeek } from './week.ts'

/** Flows read at once for the list, because their triggers may be megabytes. */
const maxFlowsPerRead = 20

/** Lists flows: for their page, by name, and those that are live. */
export function createListing(
  parts: Pick<FlowServiceParts, 'databases' | 'liveFlows' | 'clock' | 'readTimeZone'>,
): Pick<FlowService, 'list' | 'listNames' | 'listLive'> {
  const { databases, liveFlows } = parts
  return {
    async list({ orgId }, { query: { page = 1 } }) {
      const db = databases.read
      const found = await listPlaces(db, orgId, { offset: (page - 1) * flowsPerPage, limit: flowsPerPage + 1 })
      const ids = found.slice(0, flowsPerPage).map(({ id }) => id)
      const week = await countWeek(parts, db, orgId)
      const items: FlowSummary[] = []
      for (let at = 0; at < ids.length; at += maxFlowsPerRead) {
        if (at) await databases.turn.giveWay()
        for (const flow of await listFlows(db, orgId, ids.slice(at, at + maxFlowsPerRead))) {
          const { version, isEnabled } = flow
          const live =
            isEnabled && version !== null ? await liveFlows.findVersionCached(db, orgId, flow.id, version) : undefined
          const { wireTriggers } = live ?? flow
          items.push(present({ ...flow, wireTriggers: shortened(wireTriggers) }, week.get(flow.id)))
        }
      }
      return { items, page, pageSize: flowsPerPage, hasMore: found.length > flowsPerPage }
    },

    async listNames({ orgId }) {
      const found = await listPlaces(databases.read, orgId, { limit: maxFlows })
      return { items: found.map(flow => ({ id: flow.id, name: flow.name, state: flowState(flow) })) }
    },

    async listLive({ orgId }) {
      let left: number = maxVariablesListed.ofAll
      const items = (await liveFlows.list(databases.read, orgId)).map(({ flowId, triggers, calls, variables: all }) => {
        const variables = all.slice(0, Math.min(left, maxVariablesListed.ofOne))
        left -= variables.length
        return { id: flowId, isDefault: triggers.some(({ kind }) => kind === 'default'), calls: [...calls], variables }
      })
      return { items }
    },
  }
}

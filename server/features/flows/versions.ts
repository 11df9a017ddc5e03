import { versionsPerPage } from '#shared/flows/api.ts'
import type { Editing } from './editing.ts'
import type { FlowService, FlowServiceParts } from './service-parts.ts'
import { listVersions } from './version-store.ts'

/** Lists, shows and restores published versions. */
export function createVersions(
  { databases }: Pick<FlowServiceParts, 'databases'>,
  { getFlow, getVersionRow, getVersion, requireRevision, change, saveNextRevision }: Editing,
): Pick<FlowService, 'listVersions' | 'getVersion' | 'restore'> {
  return {
    async listVersions({ orgId }, { params, query: { page = 1 } }) {
      await getFlow(databases.read, orgId, params.id)
      const found = await listVersions(databases.read, orgId, params.id, {
        offset: (page - 1) * versionsPerPage,
        limit: versionsPerPage + 1,
      })
      const items = found.slice(0, versionsPerPage)
      return { items, page, pageSize: versionsPerPage, hasMore: found.length > versionsPerPage }
    },

    async getVersion({ orgId }, { params }) {
      const {
        wireGraph,
        wireTriggers,
        graph: _graph,
        ...head
      } = await getVersion(databases.read, orgId, params.id, params.version)
      return { ...head, graph: wireGraph, triggers: [...wireTriggers] }
    },

    restore: (caller, { params, body }) =>
      change(caller, params.id, async (write, flow) => {
        requireRevision(flow, body.revision)
        const { wireGraph, wireTriggers } = await getVersionRow(write.db, write.orgId, flow.id, params.version)
        return ['saved', await saveNextRevision(write, caller, flow, { name: flow.name, wireGraph, wireTriggers })]
      }),
  }
}

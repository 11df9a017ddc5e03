import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import type { Flow } from '#shared/flows/api.ts'
import { flowQuery } from '../../queries.ts'
import { readDraft, writeDraft } from './draft.ts'
import { useFlowDraft } from './use-flow-draft.ts'

/** The draft of a flow, which is saved as it changes. `accept` stores the server's response for the whole page. */
export function useSavedFlow(flow: Flow) {
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const accept = (next: Flow) => {
    client.setQueryData(flowQuery(slug, flow.id).queryKey, next)
    return next.revision
  }
  const kept = useFlowDraft({
    // Only initial values: later responses are this editor's own saves, or resolved conflicts.
    begin: () => ({ draft: readDraft(flow), revision: flow.revision }),
    save: async (draft, revision) => {
      const { name, graph, triggers } = writeDraft(draft)
      const named = name.trim() ? { name: name.trim() } : {}
      const body = { revision, ...named, graph, triggers }
      return accept(await api.flows.save({ params: { id: flow.id }, body }))
    },
  })
  return { kept, accept }
}

import { useQueryClient } from '@tanstack/react-query'
import { useEvents } from '#client/shell/live-provider.tsx'
import { refreshFlows } from '../queries.ts'

/** Updates the list while somebody else edits, publishes or switches flows. */
export const useFlowListEvents = (org: string): void => {
  const client = useQueryClient()
  const refresh = () => void refreshFlows(client, org)
  useEvents({ flow: refresh }, refresh)
}

import { useQueryClient } from '@tanstack/react-query'
import { refreshFlows } from '#client/flows/queries.ts'
import { useEvents } from '#client/shell/live-provider.tsx'

/** Keeps the list true while somebody else draws, publishes or switches. */
export const useFlowListEvents = (org: string): void => {
  const client = useQueryClient()
  const refresh = () => void refreshFlows(client, org)
  useEvents({ flow: refresh }, refresh)
}

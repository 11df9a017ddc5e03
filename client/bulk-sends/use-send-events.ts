import { useQueryClient } from '@tanstack/react-query'
import { useEvents } from '#client/shell/live-provider.tsx'
import { refreshSends } from './queries.ts'

/** Keeps shown bulk sends up to date, also when rights change. */
export const useSendEvents = (org: string): void => {
  const client = useQueryClient()
  const refresh = () => void refreshSends(client, org)
  useEvents({ bulkSend: ({ id }) => void refreshSends(client, org, id), contentAccess: refresh }, refresh)
}

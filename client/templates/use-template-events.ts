import { useQueryClient } from '@tanstack/react-query'
import { useEvents } from '#client/shell/live-provider.tsx'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { refreshTemplates } from './queries.ts'

/** Keeps shown templates up to date when Meta or others change them. */
export const useTemplateEvents = (org: string): void => {
  const client = useQueryClient()
  const refresh = () => {
    void client.invalidateQueries({ queryKey: wabaQuery(org).queryKey })
    void refreshTemplates(client, org)
  }
  useEvents(
    { template: ({ id, removed }) => void refreshTemplates(client, org, removed ? [id] : []), connection: refresh },
    refresh,
  )
}

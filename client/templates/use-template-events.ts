import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLive } from '../shell/live-provider.tsx'
import { refreshTemplates, wabaQuery } from './queries.ts'

/** Keeps what is shown of templates true while Meta, or somebody else, decides about them. */
export const useTemplateEvents = (org: string): void => {
  const client = useQueryClient()
  const live = useLive()
  useEffect(() => {
    if (!live) return
    const refresh = () => void refreshTemplates(client, org)
    const reconnect = () => {
      void client.invalidateQueries({ queryKey: wabaQuery(org).queryKey })
      refresh()
    }
    const change = ({ id, removed }: { id: string; removed?: boolean }) =>
      void refreshTemplates(client, org, removed ? [id] : [])
    const stops = [live.on('template', change), live.on('connection', reconnect), live.on('resync', reconnect)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client, live, org])
}

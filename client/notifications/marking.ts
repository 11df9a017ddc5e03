import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { listQuery, refreshNotifications, summaryQuery } from './queries.ts'

/** Marks at once, reverts when the server refuses, and reloads in the end. */
const useMarking = <V>(
  org: string,
  run: (value: V) => Promise<unknown>,
  isMarked: (value: V, id: string) => boolean,
) => {
  const client = useQueryClient()
  const textOf = useFailureText()
  const list = listQuery(org).queryKey
  const summary = summaryQuery(org).queryKey
  return useMutation({
    mutationFn: run,
    async onMutate(value: V) {
      await Promise.all([client.cancelQueries({ queryKey: list }), client.cancelQueries({ queryKey: summary })])
      const before = { list: client.getQueryData(list), summary: client.getQueryData(summary) }
      let marked = 0
      client.setQueryData(list, data => {
        if (!data) return data
        const pages = data.pages.map(page =>
          page.map(one => {
            if (one.viewed || !isMarked(value, one.id)) return one
            marked += 1
            return { ...one, viewed: true }
          }),
        )
        return { ...data, pages }
      })
      client.setQueryData(summary, data => data && { ...data, unread: Math.max(0, data.unread - marked) })
      return before
    },
    onError(error, _value, before) {
      if (before?.list) client.setQueryData(list, before.list)
      if (before?.summary) client.setQueryData(summary, before.summary)
      toast(textOf(error), { kind: 'error' })
    },
    onSettled: () => refreshNotifications(client, org),
  })
}

export const useMarkViewed = (org: string) => {
  const api = useApi()
  return useMarking(
    org,
    (id: string) => api.notifications.markViewed({ query: { id } }),
    (id, one) => id === one,
  )
}

/** Marks everything up to the newest listed one. */
export const useMarkAllViewed = (org: string) => {
  const api = useApi()
  return useMarking(
    org,
    (upTo: string) => api.notifications.markAllViewed({ body: { upTo } }),
    // Everything listed is not newer than that.
    () => true,
  )
}

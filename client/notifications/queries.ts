import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { keyFor, pagesFor, queryFor } from '#client/queries.ts'
import { toast } from '#client/ui/toasts.tsx'
import { useApi, useFailureText } from '#client/use-api.ts'
import { notificationsPerPage } from '#shared/notifications.ts'
import { paths } from '#shared/paths.ts'

/** For the bell, and for the loader of the pages it stands on. */
export const summaryQuery = (org: string) => queryFor(org, 'notifications.summary', {})

export const listQuery = (org: string) =>
  pagesFor(
    org,
    'notifications.list',
    { query: {} },
    {
      first: undefined as string | undefined,
      next: last => (last.length < notificationsPerPage ? undefined : last.at(-1)?.id),
      query: before => ({ before }),
    },
  )

export const settingsQuery = (org: string) => ({
  ...queryFor(org, 'notifications.getSettings', {}),
  staleTime: 5 * 60_000,
})

/** Where a notification leads; null: nowhere. */
export const destinationOf = (org: string, redirect: string | null | undefined): string | null =>
  redirect?.startsWith('/') ? paths.chats(org) + redirect : null

/** The chat of an address as notifications name it; undefined for other pages. */
export const redirectOf = (org: string, pathname: string): string | undefined => {
  const base = paths.chats(org)
  const rest = pathname.startsWith(`${base}/`) && pathname !== paths.bulk(org) ? pathname.slice(base.length) : ''
  return /^\/[^/]+$/.test(rest) ? rest : undefined
}

export const refreshNotifications = (client: QueryClient, org: string): void => {
  void client.invalidateQueries({ queryKey: keyFor(org, 'notifications.summary') })
  const list = { queryKey: keyFor(org, 'notifications.list') }
  // A list that nobody sees yet may be on its way with what is old by now, and would come as news.
  void client.cancelQueries({ ...list, type: 'inactive' }).then(() => client.invalidateQueries(list))
}

/** Shows the marks at once, takes them back when the server says no, and asks it again in the end. */
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

/** Everything up to the newest one that is listed. */
export const useMarkAllViewed = (org: string) => {
  const api = useApi()
  return useMarking(
    org,
    (upTo: string) => api.notifications.markAllViewed({ body: { upTo } }),
    // What is listed below the newest is not newer.
    () => true,
  )
}

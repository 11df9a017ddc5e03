import type { QueryClient } from '@tanstack/react-query'
import { refreshPages } from '#client/app/queries/paged-list.ts'
import { keyFor, pagesFor, queryFor } from '#client/app/queries/queries.ts'
import { paths } from '#shared/kernel/paths.ts'
import { type Notification, notificationsPerPage } from '#shared/notifications/api.ts'

/** The query of the bell and of its pages' loader. */
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
      rows: page => page,
      keyOf: (row: Notification) => row.id,
      join: (_near, _far, rows) => [...rows],
    },
  )

export const settingsQuery = (org: string) => ({
  ...queryFor(org, 'notifications.getSettings', {}),
  staleTime: 5 * 60_000,
})

/** A notification's link. Null: none. */
export const destinationOf = (org: string, redirect: string | null | undefined): string | null =>
  redirect?.startsWith('/') ? paths.chats(org) + redirect : null

/** The chat of an address, as notifications name it. Undefined for other pages. */
export const redirectOf = (org: string, pathname: string): string | undefined => {
  const base = paths.chats(org)
  const rest = pathname.startsWith(`${base}/`) && pathname !== paths.bulk(org) ? pathname.slice(base.length) : ''
  return /^\/[^/]+$/.test(rest) ? rest : undefined
}

/** @param what `newest`: one was added; `all`: any may have been read elsewhere. */
export const refreshNotifications = (client: QueryClient, org: string, what: 'newest' | 'all' = 'all'): void => {
  void client.invalidateQueries({ queryKey: keyFor(org, 'notifications.summary') })
  const list = { queryKey: keyFor(org, 'notifications.list') }
  // A list without observers may be loading old data that would count as fresh.
  void client
    .cancelQueries({ ...list, type: 'inactive' })
    .then(() => (what === 'all' ? refreshPages(client, list.queryKey) : client.invalidateQueries(list)))
}

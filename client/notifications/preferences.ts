import type { QueryClient } from '@tanstack/react-query'
import { availabilityQuery } from '#client/shell/availability/availability-query.ts'
import { viewerQuery } from '#client/shell/viewer.ts'
import { defaultNotificationSettings, type NotificationSettings } from '#shared/notifications/api.ts'
import { settingsQuery } from './queries.ts'

/** According to what the page has loaded. */
const isAway = (client: QueryClient, org: string): boolean => {
  const own = client.getQueryData(viewerQuery.queryKey)?.user.id
  const { items = [] } = client.getQueryData(availabilityQuery(org).queryKey) ?? {}
  return items.some(({ userId, state }) => userId === own && state === 'away')
}

/** A hidden tab would pause a retry until somebody looks at it, and announce nothing until then. */
const once = { retry: false, networkMode: 'always' } as const

/**
 * The person's notification settings. If they cannot be loaded, the defaults; for people who set themselves away, no
 * toasts.
 */
export const preferencesOf = async (client: QueryClient, org: string): Promise<NotificationSettings> => {
  const preferences = await client
    .fetchQuery({ ...settingsQuery(org), ...once })
    .catch(() => defaultNotificationSettings)
  return isAway(client, org) ? { ...preferences, toast: false } : preferences
}

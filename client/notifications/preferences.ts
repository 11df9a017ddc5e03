import type { QueryClient } from '@tanstack/react-query'
import { queryFor } from '#client/app/queries.ts'
import { viewerQuery } from '#client/shell/viewer.ts'
import { defaultNotificationSettings, type NotificationSettings } from '#shared/notifications/api.ts'
import { settingsQuery } from './queries.ts'

/** As far as the page knows: it asks where it shows it. */
const isAway = (client: QueryClient, org: string): boolean => {
  const own = client.getQueryData(viewerQuery.queryKey)?.user.id
  const { items = [] } = client.getQueryData(queryFor(org, 'assignment.listAvailability', {}).queryKey) ?? {}
  return items.some(({ userId, state }) => userId === own && state === 'away')
}

/**
 * How the person wants to be told here. Whoever cannot be asked wants what everybody gets; whoever said that they are
 * away finds it in the list, and nothing comes up.
 */
export const preferencesOf = async (client: QueryClient, org: string): Promise<NotificationSettings> => {
  const preferences = await client.fetchQuery(settingsQuery(org)).catch(() => defaultNotificationSettings)
  return isAway(client, org) ? { ...preferences, toast: false } : preferences
}

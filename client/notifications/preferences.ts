import type { QueryClient } from '@tanstack/react-query'
import { defaultNotificationSettings, type NotificationSettings } from '#shared/notifications.ts'
import { settingsQuery } from './queries.ts'

/** How the person wants to be told here. Whoever cannot be asked wants what everybody gets. */
export const preferencesOf = (client: QueryClient, org: string): Promise<NotificationSettings> =>
  client.fetchQuery(settingsQuery(org)).catch(() => defaultNotificationSettings)

import type { QueryClient } from '@tanstack/react-query'
import { defaultNotificationSettings, type NotificationSettings } from '#shared/notifications.ts'
import { isQuietAt } from '#shared/quiet-hours.ts'
import { settingsQuery } from './queries.ts'

/** How the person wants to be told here. Whoever cannot be asked wants what everybody gets. */
export const wishesOf = (client: QueryClient, org: string): Promise<NotificationSettings> =>
  client.fetchQuery(settingsQuery(org)).catch(() => defaultNotificationSettings)

/** Nothing sounds or shows now: of the organization, at this hour, or of this conversation. */
export const isSilent = (wishes: NotificationSettings, conversationId: string | undefined): boolean =>
  wishes.muted ||
  isQuietAt(wishes.quiet, new Date().toISOString()) ||
  (conversationId !== undefined && wishes.mutedConversations.includes(conversationId))

import type { NotificationSettings } from '#shared/notifications/api.ts'
import { isQuietAt } from '#shared/notifications/quiet-hours.ts'

/** True if nothing may ring or show, because of the organization, the hour or this conversation. */
export const isMuted = (
  preferences: Pick<NotificationSettings, 'muted' | 'quiet' | 'mutedConversations'>,
  conversationId: string | undefined,
  now = new Date().toISOString(),
): boolean =>
  preferences.muted ||
  isQuietAt(preferences.quiet, now) ||
  (conversationId !== undefined && preferences.mutedConversations.includes(conversationId))

import type { NotificationSettings } from '#shared/notifications.ts'
import { isQuietAt } from '#shared/quiet-hours.ts'

/** Nothing sounds or shows now: of the organization, at this hour, or of this conversation. */
export const isSilent = (
  wishes: Pick<NotificationSettings, 'muted' | 'quiet' | 'mutedConversations'>,
  conversationId: string | undefined,
  now = new Date().toISOString(),
): boolean =>
  wishes.muted ||
  isQuietAt(wishes.quiet, now) ||
  (conversationId !== undefined && wishes.mutedConversations.includes(conversationId))

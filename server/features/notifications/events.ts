import type { Words } from '#server/platform/events/notify.ts'

interface OfNotification {
  id: string
  userId: string
  words: Words
  /** Begins with `/`, relative to `/org/{slug}/c`; null: it leads nowhere. */
  redirect: string | null
}

/** What happens to a person's notifications. */
export interface NotificationEvents {
  /** New, or told again with other words. `push`: the person wants it in a closed browser, too. */
  'notification.raised': OfNotification & { conversationId: string | null; push: boolean }
  /** Read; one event stands for all that were marked together. `title`, `message`: of one from before words were kept. */
  'notification.viewed': Omit<OfNotification, 'words'> & {
    words: Words | null
    title: string
    message: string
    conversationId: string | null
  }
  /** How a person wants to be told, here or everywhere, or of which conversations: theirs alone. */
  'notification.preferencesChanged': { userId: string }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends NotificationEvents {}
}

import type { Words } from '#server/platform/events/notify.ts'

interface OfNotification {
  id: string
  userId: string
  words: Words
  /** Begins with `/`, relative to `/org/{slug}/c`. Null: no link. */
  redirect: string | null
}

/** Events of a person's notifications. */
interface NotificationEvents {
  /** New, or renewed with other words. `push`: the person wants it as a push message too. */
  'notification.raised': OfNotification & { conversationId: string | null; push: boolean }
  /**
   * Read. One event stands for all that were marked together. `title`, `message`: of a notification stored without
   * `words`.
   */
  'notification.viewed': Omit<OfNotification, 'words'> & {
    words: Words | null
    title: string
    message: string
    conversationId: string | null
  }
  /** A person's notification settings changed, here or everywhere, or for some conversations. */
  'notification.preferencesChanged': { userId: string }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends NotificationEvents {}
}

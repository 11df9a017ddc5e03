import type { InboxT } from '#client/inbox/words.ts'
import type { Message } from '#shared/inbox/messages.ts'

export interface BodyProps {
  message: Message
  t: InboxT
  onRetryMedia?: ((message: Message) => void) | undefined
  /** Shows a picture as large as the screen; absent: it opens by itself. */
  onView?: ((message: Message) => void) | undefined
}

import type { Message } from '#shared/messages.ts'
import type { InboxT } from './words.ts'

export interface BodyProps {
  message: Message
  t: InboxT
  onRetryMedia?: ((message: Message) => void) | undefined
  /** Shows a picture as large as the screen; absent: it opens by itself. */
  onView?: ((message: Message) => void) | undefined
}

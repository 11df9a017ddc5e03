import type { Message } from '#shared/inbox/messages.ts'
import type { ChatStep } from './next-step.tsx'

/** Actions on a message. Absent: not allowed, or not possible now. */
export interface MessageActs {
  readonly onReply?: ((message: Message) => void) | undefined
  /** Opens the emojis beside the pressed button. */
  readonly onReact?: ((reacting: Reacting) => void) | undefined
  /** Forwards it to other chats. */
  readonly onForward?: ((message: Message) => void) | undefined
  /** Opens the flow step that sent it. */
  readonly onWhy: (message: Message) => void
  /** Opens its statuses and attempts. */
  readonly onInfo: (message: Message) => void
  readonly onRetry?: ((message: Message) => void) | undefined
  /** Discards an unsent message that exists only in this browser. */
  readonly onDiscard?: ((message: Message) => void) | undefined
  /** Cancels a message queued on the server. */
  readonly onCancel?: ((message: Message) => void) | undefined
  /** Opens what helps after a failure. */
  readonly onStep?: ((step: ChatStep) => void) | undefined
  readonly onRetryMedia?: ((message: Message) => void) | undefined
  readonly onView?: ((message: Message) => void) | undefined
  /** Edits or deletes a note. Absent: the person may not write notes. */
  readonly onNote?: ((note: Message) => void) | undefined
}

/** The message to react to, and the button that was pressed. */
export interface Reacting {
  message: Message
  anchor: HTMLElement
}

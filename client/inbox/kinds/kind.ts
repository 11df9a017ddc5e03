import type { ComponentType } from 'react'
import type { MessageActs } from '#client/inbox/thread/bubble/message-acts.ts'
import type { InboxT } from '#client/inbox/words.ts'
import type { MessageType } from '#shared/inbox/message-kinds.ts'
import type { Message } from '#shared/inbox/messages.ts'

export interface BodyProps {
  message: Message
  t: InboxT
  onRetryMedia?: ((message: Message) => void) | undefined
  /** Shows a picture as large as the screen; absent: it opens by itself. */
  onView?: ((message: Message) => void) | undefined
}

export interface LineProps {
  message: Message
  timeZone: string
  t: InboxT
  acts: MessageActs
}

/** How the thread draws a kind of message; without either, as a file with its caption. */
export interface KindView {
  /** What its bubble holds; not asked of a message that was taken back. */
  readonly Body?: ComponentType<BodyProps>
  /** It stands in the thread by itself, not in a bubble. */
  readonly Line?: ComponentType<LineProps>
}

export type KindViews = Readonly<Partial<Record<MessageType, KindView>>>

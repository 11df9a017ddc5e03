import type { ComponentType } from 'react'
import type { MessageType } from '#shared/inbox/message-kinds.ts'
import type { Message } from '#shared/inbox/messages.ts'
import type { MessageActs } from '../thread/bubble/message-acts.ts'
import type { InboxT } from '../words.ts'

export interface BodyProps {
  message: Message
  t: InboxT
  onRetryMedia?: ((message: Message) => void) | undefined
  /** Opens a picture in the viewer. Absent: it opens in a tab of its own. */
  onView?: ((message: Message) => void) | undefined
}

export interface LineProps {
  message: Message
  timeZone: string
  t: InboxT
  acts: MessageActs
}

/** The thread's drawing of a kind of message. With neither field, it is drawn as a file with its caption. */
export interface KindView {
  /** The content of its bubble. Not used for deleted messages. */
  readonly Body?: ComponentType<BodyProps>
  /** Drawn instead of a bubble. */
  readonly Line?: ComponentType<LineProps>
}

export type KindViews = Readonly<Partial<Record<MessageType, KindView>>>

import type { Message } from '#shared/inbox/messages.ts'

/** What can be done to a message; what is absent, this person may not do here, or not now. */
export interface MessageActs {
  readonly onReply?: ((message: Message) => void) | undefined
  /** Opens the emojis beside the button that was pressed. */
  readonly onReact?: ((reacting: Reacting) => void) | undefined
  /** Sends it to other chats. */
  readonly onForward?: ((message: Message) => void) | undefined
  /** Where a message of a flow came from. */
  readonly onWhy: (message: Message) => void
  /** When it was sent, delivered, read, and how often it was tried. */
  readonly onInfo: (message: Message) => void
  readonly onRetry?: ((message: Message) => void) | undefined
  /** Given up before the server had it: only for what still lies in this browser. */
  readonly onDiscard?: ((message: Message) => void) | undefined
  /** Taken back while it waits on the server. */
  readonly onCancel?: ((message: Message) => void) | undefined
  /** A failed one is said in a way that WhatsApp may take: by a template. */
  readonly onOtherWay?: (() => void) | undefined
  readonly onRetryMedia?: ((message: Message) => void) | undefined
  readonly onView?: ((message: Message) => void) | undefined
  /** Changes or deletes a note; absent: this person writes none. */
  readonly onNote?: ((note: Message) => void) | undefined
}

/** A message somebody is about to react to, and where that was asked for. */
export interface Reacting {
  message: Message
  anchor: HTMLElement
}

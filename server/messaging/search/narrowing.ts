import type { MessageType } from '#shared/inbox/message-kinds.ts'
import type { MessageStatus } from '#shared/inbox/messages.ts'

/** Conditions on messages besides their words. All must hold; absent ones do not narrow. */
export interface Narrowing {
  readonly conversationId?: string | undefined
  /** Conversation ids: only what their customers wrote. Empty: no message. */
  readonly fromCustomersOf?: readonly string[] | undefined
  /** Tag ids. The contact has all of them. */
  readonly tagIds?: readonly string[]
  readonly types?: readonly MessageType[]
  readonly statuses?: readonly MessageStatus[]
  readonly archived?: boolean | undefined
  /** ISO 8601 in UTC, inclusive. */
  readonly since?: string | undefined
  /** ISO 8601 in UTC, exclusive. */
  readonly until?: string | undefined
  /** The message has none of them. */
  readonly withoutWords?: readonly string[]
  /** Typed names of members, or `bot`. One of them wrote the message. */
  readonly agents?: readonly string[]
}

import type { MessageType } from '#shared/inbox/message-kinds.ts'
import type { MessageStatus } from '#shared/inbox/messages.ts'

/** Which messages are meant beside their words, all of it at once; what is absent narrows nothing. */
export interface Narrowing {
  readonly conversationId?: string | undefined
  /** Ids of conversations: only what their customers wrote. None: nothing. */
  readonly fromCustomersOf?: readonly string[] | undefined
  /** Ids of tags; the contact has all of them. */
  readonly tagIds?: readonly string[]
  readonly types?: readonly MessageType[]
  readonly statuses?: readonly MessageStatus[]
  readonly archived?: boolean | undefined
  /** ISO 8601 in UTC: not before. */
  readonly since?: string | undefined
  /** ISO 8601 in UTC: before. */
  readonly until?: string | undefined
  /** None of them is in the message. */
  readonly withoutWords?: readonly string[]
  /** Names of people of the team as they are typed, or `bot`: one of them wrote it. */
  readonly agents?: readonly string[]
}

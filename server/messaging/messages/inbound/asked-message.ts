import type { OrgWrite } from '#server/platform/events/write.ts'
import type { TappedAction } from '#shared/inbox/message-actions.ts'

/**
 * A customer's message that a flow may answer: in a conversation that no person controls; or the word that starts a
 * test, in any conversation.
 */
export interface AskedMessage {
  readonly messageId: string
  readonly conversationId: string
  readonly contactId: string
  readonly text: string
  /** True: a typed text, not the title of a tapped option. */
  readonly isText: boolean
  /** A file (by name or type) or a location (by coordinates). Absent: neither. */
  readonly shared?: { readonly kind: 'file' | 'location'; readonly value: string } | undefined
  /** The id of the tapped option. Null: no option was tapped. */
  readonly tappedId: string | null
  /** The action of our button that was tapped. Absent: none. */
  readonly action?: TappedAction | undefined
  /** The advertisement it came from, with Meta's id if known. Null: none. */
  readonly ad: { readonly id: string | null } | null
  readonly at: string
  /** A flow controls the conversation. */
  readonly hasBot: boolean
  /** A person controls it, or the customer waits for one. */
  readonly isHeld: boolean
  /** The contact's first message in this conversation. */
  readonly isFirst: boolean
  readonly wasArchived: boolean
  /** Time of the previous message. Null: there was none. */
  readonly lastAt: string | null
}

/** The answers of flows to messages that were just stored. */
export interface BotAnswers {
  /** The flow that continues or begins, by message id. */
  readonly taken: ReadonlyMap<string, { readonly flowId: string; readonly name: string }>
  /** Answers the messages or adds jobs that do. Call it after their conversations are saved. */
  follow(): Promise<void>
}

/** Asks which of these messages a flow answers, in the transaction that stores them. */
export type Bots = (write: OrgWrite, asked: readonly AskedMessage[]) => Promise<BotAnswers>

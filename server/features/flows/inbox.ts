import type { Control } from '#server/messaging/events.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import type { ReadyFlowTemplate } from './step/advance-types.ts'

/** A customer as shown in lists. `phone`: the address of the conversation. */
interface ListedCustomer {
  readonly name: string
  readonly phone: string
}

/** A message that a flow sends. */
export type FlowMessage =
  | Extract<OutboundMessage, { type: 'text' | 'interactive' | 'linked' }>
  | { readonly type: 'template'; readonly ready: ReadyFlowTemplate }

/** Messages for one conversation, in order. */
export interface FlowMessages {
  readonly conversationId: string
  readonly messages: readonly { id: string; content: FlowMessage }[]
  readonly by: EventActor
}

/** A conversation as flows see it. */
export interface FlowView {
  readonly contactId: string
  readonly control: Control
  readonly name: string
  readonly number: string
  /** The assignee's name; empty if there is none. */
  readonly agent: string
  readonly isWindowOpen: boolean
  /** The contact wants no marketing. */
  readonly isOptedOut: boolean
  readonly tagIds: readonly string[]
}

/** The inbox functions that flows need; feature.ts supplies them. */
export interface FlowInbox {
  /** The views by conversation id. Deleted conversations are missing. */
  read(db: Db, orgId: string, conversationIds: readonly string[]): Promise<ReadonlyMap<string, FlowView>>
  /** Every contact field of the organization with its value, by contact id. */
  fieldsOf(
    db: Db,
    orgId: string,
    contactIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly { readonly label: string; readonly value: string | null }[]>>
  /** The customers by conversation id; deleted conversations are missing. */
  whoAre(db: Db, orgId: string, conversationIds: readonly string[]): Promise<ReadonlyMap<string, ListedCustomer>>
  /** @throws if one of the messages cannot be sent */
  send(write: OrgWrite, sends: readonly FlowMessages[]): Promise<void>
  /** Shows the typing indicator to the customer, if WhatsApp can. */
  showTyping(write: OrgWrite, conversationId: string): Promise<void>
  /** Sends a text outside any flow, on behalf of the organization; does nothing if it cannot be sent. */
  answer(write: OrgWrite, what: { conversationId: string; text: string }): Promise<void>
  changeControl(
    write: OrgWrite,
    conversationId: string,
    how: { cause: 'botWrote' | 'botEnded' | 'released'; by: EventActor; isArchived?: boolean },
  ): Promise<void>
  handOver(
    write: OrgWrite,
    conversationId: string,
    to: { teamId: string | null; memberId: string | null; note: string | null; by: EventActor },
  ): Promise<void>
  setTag(write: OrgWrite, conversationId: string, change: { tagId: string; isOn: boolean }): Promise<void>
  /** Renames the contact, or adds a line to their note. */
  setContact(write: OrgWrite, conversationId: string, change: { field: 'name' | 'note'; value: string }): Promise<void>
  /** Cancels those of these messages that have not been sent yet. */
  cancelQueued(write: OrgWrite, messageIds: readonly string[]): Promise<void>
}

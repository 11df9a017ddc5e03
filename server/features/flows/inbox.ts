import type { ReadyFlowTemplate } from '#server/features/flows/step/turn.ts'
import type { Control } from '#server/messaging/events.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'

/** A customer as lists show them. `phone`: the address of the chat. */
export interface Customer {
  readonly name: string
  readonly phone: string
}

/** What a flow says. */
export type FlowMessage =
  | Extract<OutboundMessage, { type: 'text' | 'interactive' | 'linked' }>
  | { readonly type: 'template'; readonly ready: ReadyFlowTemplate }

/** In one conversation, in this order. */
export interface FlowSpeech {
  readonly conversationId: string
  readonly messages: readonly { id: string; content: FlowMessage }[]
  readonly by: EventActor
}

/** A conversation as a flow knows it. */
export interface FlowView {
  readonly contactId: string
  readonly control: Control
  readonly name: string
  readonly number: string
  /** By name, whom it is assigned to; empty: nobody. */
  readonly agent: string
  readonly isWindowOpen: boolean
  readonly tagIds: readonly string[]
}

/** What flows ask of the inbox; the functions come from feature.ts. */
export interface FlowInbox {
  /** By id; a conversation that is not there any more is missing. */
  read(db: Db, orgId: string, conversationIds: readonly string[]): Promise<ReadonlyMap<string, FlowView>>
  /** Every field of the organization with what is known of each of these contacts, by their ids. */
  fieldsOf(
    db: Db,
    orgId: string,
    contactIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly { readonly label: string; readonly value: string | null }[]>>
  /** Who is in these conversations, by their ids; one that is gone is missing. */
  whoAre(db: Db, orgId: string, conversationIds: readonly string[]): Promise<ReadonlyMap<string, Customer>>
  /** @throws where one of them cannot be sent */
  send(write: OrgWrite, speeches: readonly FlowSpeech[]): Promise<void>
  /** Shows the customer that somebody writes, where WhatsApp can. */
  showTyping(write: OrgWrite, conversationId: string): Promise<void>
  /** Says something in the organization's own name, in no flow; nothing where it cannot be sent. */
  answer(write: OrgWrite, what: { conversationId: string; text: string }): Promise<void>
  turn(
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
  /** Calls the contact so, or adds a line to the note about them. */
  setContact(write: OrgWrite, conversationId: string, change: { field: 'name' | 'note'; value: string }): Promise<void>
  /** Takes back those of these messages that have not left. */
  takeBack(write: OrgWrite, messageIds: readonly string[]): Promise<void>
}

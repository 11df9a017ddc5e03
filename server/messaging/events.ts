import type { EventActor } from '#server/platform/events/actor.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { TappedAction } from '#shared/inbox/message-actions.ts'
import type { Message, MessageFailure, Waiting } from '#shared/inbox/messages.ts'
import type { Present } from '#shared/inbox/presence.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'

/** A message without translated texts: a failure is a code, which the reader's language translates. */
export type MessageFacts = Omit<Message, 'error'> & { error?: { code: string; at: string } }

/** A person typed this message as a text: if it fails, they read that the text is saved. */
export const isTypedText = ({ type, authorKind }: { type: string; authorKind: string | null | undefined }): boolean =>
  type === 'text' && authorKind === 'person'

/** The message in the reader's language. */
export const withFailure = (
  facts: MessageFacts,
  say: (code: string, failedAt: string, isTyped: boolean) => MessageFailure,
): Message => {
  const { error, type, author } = facts
  if (!error) return facts as Message
  return { ...facts, error: say(error.code, error.at, isTypedText({ type, authorKind: author?.kind })) }
}

/** The controller of a conversation: nobody, a flow, Meta's agent, a person; or a customer waits for a person. */
export type Control = 'none' | 'bot' | 'metaAgent' | 'human' | 'needsHuman'

/** A person controls it, the customer waits for one, or Meta's agent answers: no flow begins on its own. */
export const isHeldFromFlows = (control: Control | undefined): boolean =>
  control === 'human' || control === 'needsHuman' || control === 'metaAgent'

/** Why flows ignore a message: it arrived too late, or it is a call. */
export type FlowPass = 'late' | 'call'

/**
 * Identifies a conversation: its id, its contact's id, and the customer's address (digits, or a user id). `address`:
 * what opens its page if the customer may have several conversations; otherwise `number` does.
 */
export interface OfConversation {
  conversationId: string
  contactId: string
  number: string
  address?: string
}

/** The person and the team that a conversation is assigned to. Null: nobody, or no team. */
interface Assignment {
  userId: string | null
  teamId: string | null
}

/** A message with the row of its conversation after it. */
interface MessageInConversation extends OfConversation {
  message: MessageFacts
  conversation: Conversation
}

/** One of the contact's conversations, if there is any. */
interface OptOutChange extends Partial<Pick<OfConversation, 'number' | 'address'>> {
  contactId: string
  conversationId: string | null
  by: EventActor
}

/** The changeable parts of a contact. `fields`: values of the organization's own fields. */
export type ContactPart = 'name' | 'note' | 'fields'

/** Events of messages, conversations and contacts. */
interface InboxEvents {
  /**
   * A customer wrote. `past`: imported history, not news. `group`: written in a group. `control`: who controlled the
   * conversation before. `action`: the action of our button that was tapped.
   */
  'message.received': MessageInConversation & {
    past: boolean
    group: boolean
    control: Control
    action?: TappedAction
  }
  /** A message of ours was stored: to be sent (`queued`), or sent from the WhatsApp app (`by.kind` is `phone`). */
  'message.sent': MessageInConversation & {
    by: EventActor
    past: boolean
  }
  /** One message to each of many people was stored and queued. Their statuses are emitted together. */
  'message.sentToMany': {
    /** With the end of each one's window. Null: they never wrote. */
    people: readonly { contactId: string; windowClosesAt: string | null }[]
    by: EventActor
  }
  /** A system line of the thread, such as a changed number. */
  'message.noted': MessageInConversation
  /** The status, error or WhatsApp id of our message changed. `isLast`: the list shows this message. */
  'message.status': OfConversation & {
    id: string
    wamid: string | null
    status: Message['status']
    /** The status before. Absent: not known. */
    before?: Message['status']
    at: string
    isLast: boolean
    errorCode: string | null
    unconfirmed: boolean
    /** Part of a bulk send: open pages get one event for all. */
    bulk?: true
    /** @see isTypedText */
    typed?: true
    /** WhatsApp did not accept it yet; it will be retried. */
    waiting?: Waiting
  }
  /**
   * A message changed in another way: reaction, edit, deletion, file. `what`: its author edited it, or deleted it for
   * everybody.
   */
  'message.changed': OfConversation & { message: MessageFacts; what?: 'edited' | 'deleted' }
  /** A customer reacted to the last message. `control`: who controlled the conversation. */
  'conversation.reacted': OfConversation & {
    name: string
    emoji: string
    control: Control
    assigneeId: string | null
    at: string
  }
  /** A conversation is new: the customer wrote first, was written to, or was imported. */
  'conversation.opened': OfConversation & { conversation: Conversation }
  /** A contact is new. The conversation is their first one. */
  'contact.created': OfConversation & { name: string }
  /** A member or a flow changed a contact. The conversation is one of theirs. */
  'contact.changed': OfConversation & { name: string; changed: readonly ContactPart[] }
  /** The conversation's row in lists changed. Comes once, beside the events that say why. */
  'conversation.changed': OfConversation & { conversation: Conversation }
  'conversation.read': OfConversation
  'conversation.unread': OfConversation
  'conversation.archived': OfConversation & { by: EventActor }
  'conversation.unarchived': OfConversation & { by: EventActor }
  /** It leaves the open ones until `until`, ISO 8601 UTC. */
  'conversation.snoozed': OfConversation & { until: string; ifNoAnswer: boolean; by: EventActor }
  /** It is open again. `due`: its time came; `answered`: the customer wrote; `ended`: a member ended the snooze. */
  'conversation.snoozeEnded': OfConversation & {
    name: string
    snoozedById: string
    assigneeId: string | null
    why: 'due' | 'answered' | 'ended'
    by: EventActor
  }
  /** Control changed. `passed`: why no flow answered the customer. @see decideControl */
  /** `returned`: unarchived, controlled as before. */
  'conversation.controlChanged': OfConversation & {
    from: Control
    to: Control
    by: EventActor
    passed?: FlowPass
    returned?: true
  }
  /**
   * The assignment changed. `released`: the previous assignee left the organization. `byReply`: the first reply assigned
   * it. @see Assignment
   */
  'conversation.assigned': OfConversation & {
    name: string
    from: Assignment
    to: Assignment
    by: EventActor
    released?: true
    byReply?: true
  }
  /** Another member than the assignee replied. The assignment stays. */
  'conversation.helped': OfConversation & { assigneeId: string; by: EventActor }
  /** A member opened a chat, writes in it (repeated while it lasts), or left. */
  'conversation.presence': OfConversation & { person: Present; isGone: boolean }
  /**
   * A person changed an unsent text, or (`isGone`) it no longer exists. `takenBy`: who continues it. `device`: as
   * passed when it was saved.
   */
  'draft.changed': OfConversation & {
    person: { id: string; name: string }
    isGone: boolean
    takenBy?: { id: string; name: string }
    device?: string
  }
  /** Messages were imported into a conversation from another program. Nobody is notified. */
  'message.imported': OfConversation & { count: number }
  /** A member wrote a note. Later changes are `message.changed`. */
  'note.added': OfConversation & { message: MessageFacts }
  /**
   * A scheduled message was added, changed or removed. `held`: it was due and could not be sent; `orphaned`: its author
   * may no longer send it; `answered`: removed because the customer wrote.
   */
  'message.scheduled': OfConversation & {
    name: string
    author: { kind: 'person' | 'key'; id: string }
    what: 'added' | 'changed' | 'sent' | 'cancelled' | 'answered' | 'held' | 'orphaned'
  }
  /** People were mentioned in a note. */
  'note.mentioned': OfConversation & { name: string; userIds: readonly string[]; by: EventActor }
  /** The thread has a new activity line. */
  'conversation.activity': OfConversation & { message: MessageFacts }
  /** A customer waits for a person and nobody was notified recently. Comes beside the change of control. */
  /** `message`: what another system says of it; absent: our own words by name. */
  'conversation.personNeeded': OfConversation & {
    name: string
    reason: 'firstMessage' | 'handedOver'
    at: string
    message?: string
  }
  /** The time changed at which a first response is due. Null: the customer waits for none any more. */
  'conversation.answerDue': OfConversation & { dueAt: string | null }
  /** The window of an unanswered customer is about to close. */
  'conversation.windowClosing': OfConversation & {
    name: string
    assigneeId: string | null
    teamId: string | null
    closesAt: string
  }
  /** Further customers who began to wait at once, beyond those notified one by one, or who began long ago. */
  'conversation.manyWaiting': { conversationIds: readonly string[] }
  /** A contact opted out of marketing, or opted in again. The conversation is one of theirs, null if there is none. */
  'contact.optedOut': OptOutChange & { optOut: OptOut }
  'contact.optedIn': OptOutChange
  /**
   * A member blocked or unblocked a contact. The conversation is one of theirs. Not emitted when a merge or an import
   * brings the block.
   */
  'contact.blocked': OfConversation & { by: EventActor }
  'contact.unblocked': OfConversation & { by: EventActor }
  /** A contact was erased. Clients must reload what showed them. */
  'contact.erased': { contactId: string; conversationIds: readonly string[] }
  /**
   * Two contacts were merged, because of a message or by a person (`asked`). The conversations: one of the deleted
   * contact, and the row that holds it now; equal if the other contact had none on that number.
   */
  'contact.merged': OfConversation & {
    asked?: true
    mergedContactId: string
    mergedConversationId: string
    conversation: Conversation
  }
  /** A merge was undone: a row of either contact, with its own messages. */
  'contact.parted': OfConversation & { conversation: Conversation }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends InboxEvents {}
}

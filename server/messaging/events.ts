import type { EventActor } from '#server/platform/events/actor.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { TappedAction } from '#shared/inbox/message-actions.ts'
import type { Message, Waiting } from '#shared/inbox/messages.ts'
import type { Present } from '#shared/inbox/presence.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'

/** A message without words of ours: a failure is its code, and whoever reads says it in their language. */
export type MessageFacts = Omit<Message, 'error'> & { error?: { code: string } }

/** The message as its reader sees it. */
export const withFailureText = (facts: MessageFacts, say: (code: string) => string): Message => {
  const { error } = facts
  return (error ? { ...facts, error: { code: error.code, message: say(error.code) } } : facts) as Message
}

/** Who has a conversation: nobody, a flow, Meta's own agent, a person; or a customer waits for a person. */
export type Control = 'none' | 'bot' | 'metaAgent' | 'human' | 'needsHuman'

/** A person has it, a customer waits for one, or Meta's own agent answers: no flow begins there by itself. */
export const isHeldFromFlows = (control: Control | undefined): boolean =>
  control === 'human' || control === 'needsHuman' || control === 'metaAgent'

/** Why no flow is asked about a message: it was too long on its way, or it is a call. */
export type FlowPass = 'late' | 'call'

/**
 * Where a conversation is found: its id, its contact's, and the address customers are written to by (digits, or a user
 * id). `address`: what its page is opened by, where a customer may have several conversations; else `number` is.
 */
export interface OfConversation {
  conversationId: string
  contactId: string
  number: string
  address?: string
}

/** Whose a conversation is; null: nobody's in particular. */
export interface Assignment {
  userId: string | null
  teamId: string | null
}

/** A message with the row of its conversation as it is after it. */
interface MessageInConversation extends OfConversation {
  message: MessageFacts
  conversation: Conversation
}

/** Of a contact's conversations one, where they have any. */
interface OptOutChange extends Partial<Pick<OfConversation, 'number' | 'address'>> {
  contactId: string
  conversationId: string | null
  by: EventActor
}

/** What happens to messages, conversations and contacts. */
export interface InboxEvents {
  /**
   * A customer wrote. `past`: brought along with a phone's history, news to nobody. `group`: said in a group, not to us
   * alone. `control`: who had the conversation when it came. `action`: what stands behind the button of ours they tapped.
   */
  'message.received': MessageInConversation & {
    past: boolean
    group: boolean
    control: Control
    action?: TappedAction
  }
  /** A message of ours was stored: to be sent (`queued`), or sent already from the WhatsApp app (`by.kind` is `phone`). */
  'message.sent': MessageInConversation & {
    by: EventActor
    past: boolean
  }
  /** One message of ours to each of many was stored, to be sent. What becomes of them is told of all together. */
  'message.sentToMany': {
    /** Each with the end of their window; null: they never wrote. */
    people: readonly { contactId: string; windowClosesAt: string | null }[]
    by: EventActor
  }
  /** A line of the thread that nobody wrote, such as a changed number. */
  'message.noted': MessageInConversation
  /** A message of ours moved on: its status, error or WhatsApp id changed. `isLast`: it is the one the list shows. */
  'message.status': OfConversation & {
    id: string
    wamid: string | null
    status: Message['status']
    at: string
    isLast: boolean
    errorCode: string | null
    unconfirmed: boolean
    /** One of many: open pages are told of all of them together. */
    bulk?: true
    /** It was not taken yet and is tried again. */
    waiting?: Waiting
  }
  /** A message changed otherwise: reaction, edit, removal, its file. */
  'message.changed': OfConversation & { message: MessageFacts }
  /** A customer reacted to a message, and it is the last that was said. `control`: who had the conversation then. */
  'conversation.reacted': OfConversation & {
    name: string
    emoji: string
    control: Control
    assigneeId: string | null
    at: string
  }
  /** The conversation's row in lists looks different; comes once beside the events that say why. */
  'conversation.changed': OfConversation & { conversation: Conversation }
  'conversation.read': OfConversation
  'conversation.unread': OfConversation
  'conversation.archived': OfConversation & { by: EventActor }
  'conversation.unarchived': OfConversation & { by: EventActor }
  /** Who answers changed hands. `passed`: why no flow took what the customer wrote. @see decideControl */
  /** `returned`: taken back out of the archive, it is whose it was. */
  'conversation.controlChanged': OfConversation & {
    from: Control
    to: Control
    by: EventActor
    passed?: FlowPass
    returned?: true
  }
  /** Whose it is changed. `released`: whoever had it left, with all they had. @see Assignment */
  'conversation.assigned': OfConversation & {
    name: string
    from: Assignment
    to: Assignment
    by: EventActor
    released?: true
  }
  /** A colleague came into a chat, writes in it (again while it lasts), or left. */
  'conversation.presence': OfConversation & { person: Present; isGone: boolean }
  /**
   * A person wrote on what they have not sent, or (`isGone`) has it no more. `takenBy`: who goes on with it. `device`: as
   * it was said with what was saved.
   */
  'draft.changed': OfConversation & {
    person: { id: string; name: string }
    isGone: boolean
    takenBy?: { id: string; name: string }
    device?: string
  }
  /** Somebody of ours wrote a note; what becomes of it later is a `message.changed`. */
  'note.added': OfConversation & { message: MessageFacts }
  /**
   * A message to be sent later is there, otherwise, or no more. `held`: it was due and could not be sent; `orphaned`:
   * as who wrote it may not send it any more; `answered`: it went as the customer wrote before. `author`: whose it is.
   */
  'message.scheduled': OfConversation & {
    name: string
    author: { kind: 'person' | 'key'; id: string }
    what: 'added' | 'changed' | 'sent' | 'cancelled' | 'answered' | 'held' | 'orphaned'
  }
  /** These people are called to a note. */
  'note.mentioned': OfConversation & { name: string; userIds: readonly string[]; by: EventActor }
  /** The thread has a line on what was done to the conversation. */
  'conversation.activity': OfConversation & { message: MessageFacts }
  /** Customers wait for a person and nobody has been called to them lately; comes beside the change of control. */
  'conversation.personNeeded': OfConversation & { name: string; reason: 'firstMessage' | 'handedOver'; at: string }
  /** The window of a customer who has no answer is about to close. */
  'conversation.windowClosing': OfConversation & { name: string; assigneeId: string | null; closesAt: string }
  /** So many more customers began to wait at once than are called out one by one, or did so long ago. */
  'conversation.manyWaiting': { conversationIds: readonly string[] }
  /** A contact wants no marketing any more, or wants it again; the conversation: one of theirs, null where there is none. */
  'contact.optedOut': OptOutChange & { optOut: OptOut }
  'contact.optedIn': OptOutChange
  /** Somebody of ours keeps a contact away, or does no longer; the conversation is one of theirs. */
  'contact.blocked': OfConversation & { by: EventActor }
  'contact.unblocked': OfConversation & { by: EventActor }
  /** A contact is no more, and whatever showed them is to be looked at anew. */
  'contact.erased': { contactId: string; conversationIds: readonly string[] }
  /**
   * Two contacts are one, as a message or a person said. The conversations: one of the contact that is gone, and the row that holds it
   * now; the same one where the other contact had none on its number. `asked`: a person said so.
   */
  'contact.merged': OfConversation & {
    asked?: true
    mergedContactId: string
    mergedConversationId: string
    conversation: Conversation
  }
  /** Of two contacts that were one: a row of either, with the messages that are its own now. */
  'contact.parted': OfConversation & { conversation: Conversation }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends InboxEvents {}
}

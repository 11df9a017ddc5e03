import type { FlowChange } from '#shared/flows/change.ts'
import type { Availability } from '#shared/inbox/assignment.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { TappedAction } from '#shared/inbox/message-actions.ts'
import type { Message, MessageFailure, MessageStatus, Waiting } from '#shared/inbox/messages.ts'
import type { Present } from '#shared/inbox/presence.ts'

/** `number` is the customer's; `address`: the chat's id, if the organization has several numbers. */
interface OfChat {
  number: string
  address?: string
}

/**
 * Everything that can arrive over `/api/sse`, as `data: {"event": …, "data": …}`; `human` and `notify` keep the form
 * that other programs know. Each has an `id:`, the organization's event number. Ignore unknown events.
 */
export interface LiveEvents {
  /**
   * A message arrived or was queued; `conversation` is its row in the list after it. `writerId`: the member who wrote
   * it.
   */
  message: OfChat & { message: Message; conversation: Conversation; action?: TappedAction; writerId?: string }
  /**
   * The status, error or wamid of a message changed. `isLast`: the list's tick of the chat changes too. An event serves
   * readers of all languages, so `error.message` is Spanish; show it by `error.code`.
   */
  status: OfChat & {
    id: string
    wamid: string | null
    status: MessageStatus
    at: string
    isLast?: boolean
    error?: MessageFailure
    unconfirmed?: boolean
    /** Why it was not sent yet, and until when. */
    waiting?: Waiting
  }
  /** A message changed in another way: reaction, edit, deletion, file stored. */
  messageChanged: OfChat & { message: Message }
  /** A new internal line in the thread. No row of the list changes. */
  internal: OfChat & { message: Message }
  /**
   * A row of the list changed: read, archived, control, assignee, name. `mergedFrom`: id of a row that was merged into
   * this one and no longer exists. `parted`: some of its messages moved back to another row.
   */
  conversation: { conversation: Conversation; mergedFrom?: string; parted?: true }
  /** A customer needs a person. `message` is Spanish; translate by `reason` and `params`. */
  human: OfChat & {
    message: string
    reason?: 'firstMessage' | 'handedOver'
    params?: { name: string }
    conversationId?: string
    at?: string
  }
  /** A member opened a chat, writes in it (repeated while it lasts; each is valid for 10 s), or left. */
  presence: OfChat & { person: Present; isGone: boolean }
  /**
   * A member's unsent text in this chat changed or no longer exists: reload it. `takenBy`: who continues it. `device`:
   * as passed when it was saved.
   */
  draft: OfChat & {
    person: { id: string; name: string }
    isGone: boolean
    takenBy?: { id: string; name: string }
    device?: string
  }
  /** A scheduled message of this chat was added, changed or removed: reload them. */
  scheduled: OfChat
  /** Until when a customer should get a first response, ISO 8601 in UTC. Null: nobody waits for it any more. */
  answerDue: OfChat & { dueAt: string | null }
  /** Somebody took a waiting customer: clients remove the toast. */
  'human.claimed': OfChat & { by: string | null }
  /** `id` is `notify-{id}`. The text is Spanish; `/notify` returns it in the reader's language. */
  notify: {
    id: string
    title: string
    message: string
    viewed: boolean
    redirect?: string
    /** The name of the text, such as `replied`. */
    kind?: string
    conversationId?: string
  }
  /** This person's notification settings changed, here or elsewhere: reload them. */
  notificationSettings: Record<string, never>
  /** A template was added, changed or deleted: reload it. `status` is Meta's word, or `DRAFT`. */
  template: { id: string; name: string; language: string; status: string; removed?: boolean }
  /** A ready answer was added, changed or deleted: reload them. */
  readyAnswers: Record<string, never>
  /** A saved view was added, changed or deleted: reload them. */
  savedViews: Record<string, never>
  /** A tag was added, changed or removed from all contacts: reload tags. */
  tags: { id: string; change: 'created' | 'changed' | 'merged' | 'deleted' }
  /** A bulk send was added, changed state or progressed: reload it. At most once a second per send. */
  bulkSend: { id: string; state: string }
  /** A contact import began, progressed (at most once a second) or ended: reload it. */
  contactImport: { id: string; state: string }
  /** An import of chats began, progressed (at most once a second), ended or was deleted: reload it. */
  chatImport: { id: string; state: string }
  /** A flow was added, edited, published, switched, moved or deleted: reload flows. `revision`: of the saved draft. */
  flow: { id: string; change: FlowChange; revision?: number }
  /** A member opened a flow's editor, edits it (repeated while it lasts; each is valid for 10 s), or left. */
  flowPresence: { id: string; person: Present; isGone: boolean }
  /** The organization's number was connected, disconnected or changed state. */
  connection: { status: string | null; phone: string | null }
  /** Name, address, picture or settings of the organization changed: reload them. */
  organization: Record<string, never>
  /** This person's scope changed: discard and reload what is shown. */
  visibility: Record<string, never>
  /** The grants of tags to roles, or what they limit, changed: reload them. */
  contentAccess: Record<string, never>
  /** A member left and has no conversations any more: reload assignees. */
  memberLeft: { userId: string }
  /** A member's availability changed. It may also change when the organization opens or closes. */
  availability: Availability
  /** A team was removed. Its conversations have no team. */
  teamRemoved: { id: string }
  /** WhatsApp limits the number: queued messages of all its chats wait until then; reload those shown. */
  paused: { until: string }
  /** Missed events cannot be replayed: reload what is shown. Has no `id:`. */
  resync: Record<string, never>
  /** The session or membership ended; the stream closes after it. Has no `id:`. */
  goodbye: { reason: 'signedOut' | 'notMember' | 'shutdown' }
}
export type LiveEventName = keyof LiveEvents
export type LiveEvent = { [K in LiveEventName]: { event: K; data: LiveEvents[K] } }[LiveEventName]

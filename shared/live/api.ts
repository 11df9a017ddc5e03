import type { FlowChange } from '#shared/flows/change.ts'
import type { Availability } from '#shared/inbox/assignment.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { TappedAction } from '#shared/inbox/message-actions.ts'
import type { Message, MessageFailure, MessageStatus, Waiting } from '#shared/inbox/messages.ts'
import type { Present } from '#shared/inbox/presence.ts'

/** `number` is the customer's; `address`: the id of the chat, where the organization has several numbers. */
interface OfChat {
  number: string
  address?: string
}

/**
 * Everything that can arrive over `/api/sse`, as `data: {"event": …, "data": …}`; `human` and `notify` keep
 * the form in which other programs know them. Each comes with an `id:`, the organization's event number. Unknown events are ignored.
 */
export interface LiveEvents {
  /**
   * A message came or was stored for sending; `conversation` is its row in the list after it. `writerId`: whose words they
   * are, of a person of ours.
   */
  message: OfChat & { message: Message; conversation: Conversation; action?: TappedAction; writerId?: string }
  /**
   * A message moved on: its status, error or vendor id changed. `isLast`: the list's tick of the chat moves with it.
   * One event serves readers of all languages, so `error.message` is Spanish here; show it by `error.code`.
   */
  status: OfChat & {
    id: string
    wamid: string | null
    status: MessageStatus
    at: string
    isLast?: boolean
    error?: MessageFailure
    unconfirmed?: boolean
    /** It has not left: why, and until when. */
    waiting?: Waiting
  }
  /** A message changed otherwise: reaction, edit, removal, media stored. */
  messageChanged: OfChat & { message: Message }
  /** The thread has a line of the team's own: nothing was said, no row of the list moves. */
  internal: OfChat & { message: Message }
  /**
   * A row of the list changed: read, archived, control, assignee, name. `mergedFrom`: id of a row that proved to be the
   * same customer and is gone; its messages are in this one. `parted`: some of its messages are another row's again.
   */
  conversation: { conversation: Conversation; mergedFrom?: string; parted?: true }
  /**
   * A customer needs a person. `message` is Spanish; whoever knows the `reason` says it in their own language, with its
   * `params`.
   */
  human: OfChat & {
    message: string
    reason?: 'firstMessage' | 'handedOver'
    params?: { name: string }
    conversationId?: string
    at?: string
  }
  /** A colleague came into a chat, writes in it (said again while it lasts, of which each is good for 10 s), or left. */
  presence: OfChat & { person: Present; isGone: boolean }
  /**
   * A person of ours wrote on what they have not sent in this chat, or has it no more: refetch what you show of it.
   * `takenBy`: who goes on with it. `device`: what was given with it when it was saved.
   */
  draft: OfChat & {
    person: { id: string; name: string }
    isGone: boolean
    takenBy?: { id: string; name: string }
    device?: string
  }
  /** A message of this chat to be sent later is new, otherwise, or no more: refetch what you show of them. */
  scheduled: OfChat
  /** Somebody took a waiting customer: clients take the toast back. */
  'human.claimed': OfChat & { by: string | null }
  /** `id` is `notify-{id}`. Its words are Spanish; `/notify` gives them in the reader's language. */
  notify: {
    id: string
    title: string
    message: string
    viewed: boolean
    redirect?: string
    /** Name of what it says, e.g. `replied`. */
    kind?: string
    conversationId?: string
  }
  /** How this person wants to be told of things was changed, on this page or elsewhere: refetch what you show of it. */
  notificationSettings: Record<string, never>
  /** A template is new, changed or gone: refetch what you show of it. `status` is Meta's word, or `DRAFT`. */
  template: { id: string; name: string; language: string; status: string; removed?: boolean }
  /** A ready answer is new, changed or gone: refetch what you show of them. */
  readyAnswers: Record<string, never>
  /** A saved view is new, changed or gone: refetch what you show of them. */
  savedViews: Record<string, never>
  /** A tag is new, looks otherwise, or is none any more on all its contacts: refetch what you show of tags. */
  tags: { id: string; change: 'created' | 'changed' | 'merged' | 'deleted' }
  /** A bulk send is new, in another state, or went on: refetch what you show of it. Of one send at most once a second. */
  bulkSend: { id: string; state: string }
  /** A file of contacts is taken in: it began, went on (at most once a second), or is over. Refetch what you show of it. */
  contactImport: { id: string; state: string }
  /** A flow is new, drawn otherwise, published, switched, moved or gone: refetch what you show of flows. `revision`: of the draft that was saved. */
  flow: { id: string; change: FlowChange; revision?: number }
  /** A colleague opened a flow's editor, draws in it (said again while it lasts, of which each is good for 10 s), or left. */
  flowPresence: { id: string; person: Present; isGone: boolean }
  /** The organization's number was connected, lost or changed state. */
  connection: { status: string | null; phone: string | null }
  /** Name, address, picture or settings of the organization changed: refetch what you show of them. */
  organization: Record<string, never>
  /** What this person sees of the conversations is not what it was: forget and refetch what you show. */
  visibility: Record<string, never>
  /** Which roles have the content of which tags, or what that limits, is not what it was: refetch what you show of it. */
  contentAccess: Record<string, never>
  /** Somebody is no member any more, and has no conversations: refetch whom you show as having them. */
  memberLeft: { userId: string }
  /** Somebody said whether they are there to have conversations; they may also be, or not, as the organization opens or closes. */
  availability: Availability
  /** A team is no more: its conversations are no team's. */
  teamRemoved: { id: string }
  /** WhatsApp holds the number back: messages of any chat that have not left wait until then; refetch those you show. */
  paused: { until: string }
  /** What was missed cannot be replayed: refetch what you show. Has no `id:`. */
  resync: Record<string, never>
  /** The session or the membership ended: the stream closes after it. Has no `id:`. */
  goodbye: { reason: 'signedOut' | 'notMember' | 'shutdown' }
}
export type LiveEventName = keyof LiveEvents
export type LiveEvent = { [K in LiveEventName]: { event: K; data: LiveEvents[K] } }[LiveEventName]

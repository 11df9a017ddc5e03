import { insertMessages, type NewMessage, newMessageRow } from '#server/messaging/messages/message-store.ts'
import { messageFacts } from '#server/messaging/messages/present.ts'
import { findNames } from '#server/messaging/people/names-store.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { Activity, ActivityKind } from '#shared/inbox/activity.ts'
import { type ActivityEvent, activityEvents, activityLines, type Line } from './activity.ts'

type Said = EventOf<'message.received' | 'message.sent'>
type Heard = ActivityEvent['type'] | Said['type']

interface ActivityParts {
  readonly clock: Clock
  readonly ids: (at?: number) => string
}

const noExtras = { quotes: new Map<string, never>(), reactions: new Map<string, never[]>() }

const isActivity = (event: EventOf<Heard>): event is ActivityEvent =>
  (activityEvents as readonly string[]).includes(event.type)

/** Times of the first and last message of this transaction in a conversation. */
interface WrittenAt {
  readonly first: number
  readonly last: number
}

/** The conversations in which the customer or a member wrote in this transaction. */
const writtenIn = (events: readonly EventOf<Heard>[], type: Said['type']): ReadonlyMap<string, WrittenAt> => {
  const said = new Map<string, WrittenAt>()
  for (const event of events) {
    if (event.type !== type || event.data.past) continue
    const at = Date.parse(event.data.message.at)
    const { conversationId } = event.data
    const { first, last } = said.get(conversationId) ?? { first: at, last: at }
    said.set(conversationId, { first: Math.min(at, first), last: Math.max(at, last) })
  }
  return said
}

const leaving: readonly ActivityKind[] = ['handedOver', 'botEnded', 'assigned', 'unassigned', 'archived']
/** A bot's messages come before the line that it left. */
const isBotExit = ({ kind, by }: Activity): boolean => by.kind === 'bot' && leaving.includes(kind)

/** A member who writes in a conversation that nobody controls takes it over; the message itself shows that. */
const isSaidByMessage = (event: ActivityEvent, sent: ReadonlyMap<string, WrittenAt>): boolean =>
  event.type === 'conversation.controlChanged' &&
  event.data.from === 'none' &&
  event.data.by.kind !== 'bot' &&
  sent.has(event.data.conversationId)

const idsOf = (events: readonly ActivityEvent[], of: 'userId' | 'teamId'): string[] =>
  events.flatMap(({ type, data }) => {
    if (type === 'conversation.helped') return of === 'userId' ? [data.assigneeId] : []
    return type === 'conversation.assigned' ? [data.from[of], data.to[of]].filter(id => id !== null) : []
  })

const messageOf = (conversationId: string, activity: Activity, at: Date, ids: ActivityParts['ids']): NewMessage => ({
  id: ids(at.getTime()),
  conversationId,
  wamid: null,
  direction: 'internal',
  type: 'activity',
  text: '',
  content: JSON.stringify({ activity }),
  at: at.toISOString(),
  status: 'received',
  sentAt: null,
  replyToWamid: null,
  authorKind: null,
  authorId: null,
  authorName: null,
  clientKey: null,
  outbound: null,
})

/**
 * Writes activity lines into the thread: assigned, taken, released, tagged, archived, opted out, blocked, merged. A
 * line is a message without text, so that it is paged and deleted with the others; lists do not show it. Emits
 * `conversation.activity`.
 */
export const createActivityLines = ({ clock, ids }: ActivityParts): TransactionListener<Heard> => ({
  name: 'activity lines',
  on: [...activityEvents, 'message.received', 'message.sent'],
  after: [
    'taps on buttons that do something',
    'conversations given out where somebody can have one more',
    'opt-out words',
    'opt-outs by refusal',
  ],
  async handle({ db, orgId, by, emit }, events) {
    if (!events.some(isActivity)) return
    const sent = writtenIn(events, 'message.sent')
    const received = writtenIn(events, 'message.received')
    const done = events.filter(isActivity).filter(event => !isSaidByMessage(event, sent))
    const names = await findNames(db, orgId, { personIds: idsOf(done, 'userId'), teamIds: idsOf(done, 'teamId') })
    const lines = activityLines(done, by, names)
    const now = clock.now()
    // A line caused by a message goes just above it. A customer's opt-out, and the end of a bot, go below.
    const atOf = ({ place, activity }: Line) => {
      if (activity.kind === 'optedOut' || activity.kind === 'optedIn') return now
      const said = (activity.by.kind === 'customer' ? received : sent).get(place.conversationId)
      if (!said) return now
      return new Date(isBotExit(activity) ? Math.max(now.getTime(), said.last + 1) : said.first - 1)
    }
    const stored = lines.map(line => ({
      ...line,
      message: messageOf(line.place.conversationId, line.activity, atOf(line), ids),
    }))
    await insertMessages(
      db,
      stored.map(({ message }) => message),
      { orgId },
    )
    for (const { place, message, isQuiet } of stored)
      if (!isQuiet)
        emit({
          type: 'conversation.activity',
          data: { ...place, message: messageFacts(newMessageRow(message), noExtras) },
        })
  },
})

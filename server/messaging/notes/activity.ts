import type { OfConversation } from '#server/messaging/events.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { Activity, ActivityKind } from '#shared/inbox/activity.ts'

/** Events that get an activity line. */
export const activityEvents = [
  'conversation.assigned',
  'conversation.helped',
  'conversation.controlChanged',
  'conversation.archived',
  'conversation.unarchived',
  'conversation.snoozed',
  'conversation.snoozeEnded',
  'contact.tagged',
  'contact.untagged',
  'contact.optedOut',
  'contact.optedIn',
  'contact.blocked',
  'contact.unblocked',
  'contact.merged',
  'contact.parted',
] as const
export type ActivityEvent = EventOf<(typeof activityEvents)[number]>

/** Names by id. People and teams that no longer exist are absent. */
interface NamesById {
  readonly people: ReadonlyMap<string, string>
  readonly teams: ReadonlyMap<string, string>
}

/** A line and its conversation. */
export interface Line {
  readonly place: OfConversation
  readonly activity: Activity
  /** Open tabs get all of them in one event. */
  readonly isQuiet: boolean
}

const named = (id: string, names: ReadonlyMap<string, string>) => ({ id, name: names.get(id) ?? null })

/** One line for the person and one for the team, if they changed. */
const assignments = (
  { from, to, by, byReply }: EventOf<'conversation.assigned'>['data'],
  names: NamesById,
): Activity[] => {
  const lines: Activity[] = []
  const person = to.userId ?? from.userId
  if (to.userId !== from.userId && person !== null)
    lines.push({
      kind: to.userId ? 'assigned' : 'unassigned',
      by,
      assignee: named(person, names.people),
      ...(byReply ? { byReply } : {}),
    })
  const team = to.teamId ?? from.teamId
  if (to.teamId !== from.teamId && team !== null)
    lines.push({ kind: to.teamId ? 'assigned' : 'unassigned', by, team: named(team, names.teams) })
  return lines
}

/** Undefined: no line, for example when a customer begins to wait. */
const controlActivity = ({
  from,
  to,
  by,
}: EventOf<'conversation.controlChanged'>['data']): ActivityKind | undefined => {
  // Messages of Meta's agent, and WhatsApp's notice when it stops, show this already.
  if (to === 'metaAgent' || by.kind === 'vendor') return undefined
  if (to === 'human') return by.kind === 'bot' ? 'handedOver' : by.kind === 'customer' ? undefined : 'takenOver'
  if (to === 'needsHuman') return from === 'bot' ? 'handedOver' : undefined
  if (to === 'bot') return by.kind === 'bot' ? 'botStarted' : 'givenBack'
  if (from === 'metaAgent' && by.kind === 'key') return 'takenOver'
  return from === 'bot' ? 'botEnded' : 'givenBack'
}

/** This event's line already shows who controls the conversation. */
const impliesControl = (event: ActivityEvent): boolean =>
  event.type === 'conversation.archived' || (event.type === 'conversation.assigned' && event.data.to.userId !== null)

/** Opt-outs count as the customer's, unless a member or program recorded them. */
const choiceOf = ({ type, data }: EventOf<'contact.optedOut' | 'contact.optedIn'>): Activity => {
  const isOurs = data.by.kind === 'person' || data.by.kind === 'key'
  const by: EventActor = isOurs ? data.by : { kind: 'customer', id: data.contactId, name: null }
  return { kind: type === 'contact.optedOut' ? 'optedOut' : 'optedIn', by }
}

/** Changes of a contact come once per conversation. Only the first gets a line. */
const isRepeated = (event: ActivityEvent, place: number, events: readonly ActivityEvent[]): boolean =>
  (event.type === 'contact.merged' || event.type === 'contact.parted') &&
  events.findIndex(({ type, data }) => type === event.type && data.contactId === event.data.contactId) < place

/**
 * The lines of a transaction's events, in order. A change of control that follows from an assignment or from archiving
 * gets none.
 */
export function activityLines(events: readonly ActivityEvent[], by: EventActor, names: NamesById): Line[] {
  const settled = new Set(events.filter(impliesControl).map(({ data }) => data.conversationId))
  const activitiesOf = (event: ActivityEvent): Activity[] => {
    switch (event.type) {
      case 'conversation.assigned':
        return assignments(event.data, names)
      case 'conversation.helped':
        return [{ kind: 'helped', by: event.data.by, assignee: named(event.data.assigneeId, names.people) }]
      case 'conversation.controlChanged': {
        const isSettled = event.data.returned || settled.has(event.data.conversationId)
        const kind = isSettled ? undefined : controlActivity(event.data)
        return kind ? [{ kind, by: event.data.by }] : []
      }
      case 'conversation.archived':
        return [{ kind: 'archived', by: event.data.by }]
      case 'conversation.unarchived':
        return [{ kind: 'unarchived', by: event.data.by }]
      case 'conversation.snoozed': {
        const { until, ifNoAnswer, by: snoozer } = event.data
        return [{ kind: 'snoozed', by: snoozer, until, ...(ifNoAnswer ? { ifNoAnswer } : {}) }]
      }
      case 'conversation.snoozeEnded': {
        const { why, by: ender, conversationId } = event.data
        // The customer's message, or the line that it was archived, shows this already.
        if (why === 'answered' || settled.has(conversationId)) return []
        return [{ kind: why === 'due' ? 'snoozeDue' : 'unsnoozed', by: ender }]
      }
      case 'contact.tagged':
        return [{ kind: 'tagged', by, tag: { id: event.data.tagId, label: event.data.label } }]
      case 'contact.untagged':
        return [{ kind: 'untagged', by, tag: { id: event.data.tagId, label: event.data.label } }]
      case 'contact.optedOut':
      case 'contact.optedIn':
        return [choiceOf(event)]
      case 'contact.blocked':
        return [{ kind: 'blocked', by: event.data.by }]
      case 'contact.unblocked':
        return [{ kind: 'unblocked', by: event.data.by }]
      case 'contact.merged':
        return event.data.asked ? [{ kind: 'merged', by }] : []
      case 'contact.parted':
        return [{ kind: 'parted', by }]
    }
  }
  return events.flatMap((event, index) => {
    const { conversationId, contactId, number, address } = event.data
    if (conversationId === null || number === undefined || isRepeated(event, index, events)) return []
    const place = { conversationId, contactId, number, ...(address === undefined ? {} : { address }) }
    const isQuiet = event.type === 'conversation.assigned' && event.data.released === true
    return activitiesOf(event).map(activity => ({ place, activity, isQuiet }))
  })
}

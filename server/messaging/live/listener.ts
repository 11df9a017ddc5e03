import { isUnlimited } from '#server/identity/visibility/scope.ts'
import { withFailure } from '#server/messaging/events.ts'
import type { DomainEvent, DomainEventType } from '#server/platform/events/domain.ts'
import { everyOther } from '#server/platform/events/listener-order.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Words } from '#server/platform/events/notify.ts'
import type { MessageFailure } from '#shared/inbox/messages.ts'
import { rolesWith } from '#shared/kernel/permissions.ts'
import type { LiveEvents } from '#shared/live/api.ts'
import { notificationEventPrefix } from '#shared/notifications/api.ts'
import { ofRole } from './audience.ts'
import type { LiveLog } from './hub.ts'
import type { EventDraft } from './recording.ts'

/**
 * Spanish texts of the product. An event serves readers of all languages, so programs get the main language; clients
 * translate by code and key.
 */
export interface EventWords {
  failure(code: string, failedAt: string, isTyped: boolean): MessageFailure
  notice(words: Words): { title: string; message: string }
}

const draft = <T extends keyof LiveEvents>(
  type: T,
  data: LiveEvents[T],
  // Required: every event must say which conversation it is about, because that decides who gets it.
  facts: Pick<EventDraft, 'number' | 'audience'> & { conversationId: string | null },
): EventDraft => ({
  type,
  data,
  ...facts,
})

type Present = { [T in DomainEventType]?: (data: never, words: EventWords) => EventDraft[] }

/** The customer an event is about, and the chat, if they may have several. */
const chatOf = ({ number, address }: { number: string; address?: string }) =>
  address === undefined ? { number } : { number, address }

const message = (data: Extract<DomainEvent, { type: 'message.received' }>['data'] | MessageOf, words: EventWords) => {
  const { number, conversation, conversationId } = data
  const message = withFailure(data.message, words.failure)
  const tapped = 'action' in data && data.action ? { action: data.action } : {}
  const { id: writerId } = 'by' in data && data.by.kind === 'person' ? data.by : { id: null }
  const written = writerId === null ? {} : { writerId }
  return [
    draft('message', { ...chatOf(data), message, conversation, ...tapped, ...written }, { number, conversationId }),
  ]
}
type MessageOf = Extract<DomainEvent, { type: 'message.sent' | 'message.noted' }>['data']
type DataOf<T extends DomainEventType> = Extract<DomainEvent, { type: T }>['data']

const internal = (facts: DataOf<'conversation.activity' | 'note.added'>, words: EventWords) => {
  const { number, conversationId, message } = facts
  const data = { ...chatOf(facts), message: withFailure(message, words.failure) }
  return [draft('internal', data, { number, conversationId })]
}

/** The live events of each domain event. Domain events without an entry come together with another one that has. */
const presentations = {
  'message.received': message,
  'message.sent': message,
  'message.noted': message,
  'message.status': (facts: DataOf<'message.status'>, words: EventWords) => {
    if (facts.bulk) return []
    const {
      number,
      conversationId,
      id,
      wamid,
      status,
      at,
      isLast,
      errorCode,
      unconfirmed,
      waiting,
      typed = false,
    } = facts
    const data: LiveEvents['status'] = { ...chatOf(facts), id, wamid, status, at, isLast }
    if (errorCode !== null) data.error = words.failure(errorCode, at, typed)
    if (unconfirmed) data.unconfirmed = true
    if (waiting) data.waiting = waiting
    return [draft('status', data, { number, conversationId })]
  },
  'message.changed': (facts: DataOf<'message.changed'>, words: EventWords) => {
    const { number, conversationId, message } = facts
    const data = { ...chatOf(facts), message: withFailure(message, words.failure) }
    return [draft('messageChanged', data, { number, conversationId })]
  },
  'conversation.activity': internal,
  'note.added': internal,
  'conversation.changed': ({ number, conversationId, conversation }: DataOf<'conversation.changed'>) => [
    draft('conversation', { conversation }, { number, conversationId }),
  ],
  'conversation.controlChanged': (facts: DataOf<'conversation.controlChanged'>) => {
    const { number, conversationId, from, to, by } = facts
    if (from !== 'needsHuman' || to === 'needsHuman') return []
    const data = { ...chatOf(facts), by: by.kind === 'person' ? by.name : null }
    return [draft('human.claimed', data, { number, conversationId })]
  },
  'conversation.presence': (facts: DataOf<'conversation.presence'>) => {
    const { number, conversationId, person, isGone } = facts
    return [draft('presence', { ...chatOf(facts), person, isGone }, { number, conversationId })]
  },
  'draft.changed': (facts: DataOf<'draft.changed'>) => {
    const { number, conversationId, contactId: _contact, ...data } = facts
    return [draft('draft', { ...data, number }, { number, conversationId })]
  },
  'message.scheduled': (facts: DataOf<'message.scheduled'>) => {
    const { number, conversationId } = facts
    return [draft('scheduled', chatOf(facts), { number, conversationId })]
  },
  'conversation.answerDue': (facts: DataOf<'conversation.answerDue'>) => {
    const { number, conversationId, dueAt } = facts
    return [draft('answerDue', { ...chatOf(facts), dueAt }, { number, conversationId })]
  },
  'conversation.personNeeded': (facts: DataOf<'conversation.personNeeded'>, words: EventWords) => {
    const { number, name, reason, conversationId, at, message: given } = facts
    const { message } = words.notice({ key: 'waiting', params: { name } })
    const data =
      given === undefined
        ? { message, ...chatOf(facts), reason, params: { name }, conversationId, at }
        : { message: given, ...chatOf(facts), conversationId, at }
    return [draft('human', data, { number, conversationId })]
  },
  'contact.merged': (facts: DataOf<'contact.merged'>) => {
    const { number, conversationId, conversation, mergedConversationId } = facts
    const mergedFrom = mergedConversationId === conversationId ? {} : { mergedFrom: mergedConversationId }
    return [draft('conversation', { conversation, ...mergedFrom }, { number, conversationId })]
  },
  'contact.parted': ({ number, conversationId, conversation }: DataOf<'contact.parted'>) => [
    draft('conversation', { conversation, parted: true }, { number, conversationId }),
  ],
  'connection.changed': ({ status, phone }: DataOf<'connection.changed'>) => [
    draft('connection', { status, phone }, { conversationId: null }),
  ],
  'connection.read': (data: DataOf<'connection.read'>) => [draft('connection', data, { conversationId: null })],
  'organization.changed': () => [draft('organization', {}, { conversationId: null })],
  'member.left': ({ userId }: DataOf<'member.left'>) => [draft('memberLeft', { userId }, { conversationId: null })],
  'member.availability': (data: DataOf<'member.availability'>) => [
    draft('availability', data, { conversationId: null }),
  ],
  'team.removed': ({ teamId: id }: DataOf<'team.removed'>) => [draft('teamRemoved', { id }, { conversationId: null })],
  'connection.paused': ({ until }: DataOf<'connection.paused'>) => [
    draft('paused', { until }, { conversationId: null }),
  ],
  'template.changed': ({ id, name, language, status, removed }: DataOf<'template.changed'>) => [
    draft('template', { id, name, language, status, ...(removed ? { removed } : {}) }, { conversationId: null }),
  ],
  'bulkSend.changed': ({ id, state, creatorId, isShared }: DataOf<'bulkSend.changed'>) => {
    const readers = rolesWith('bulk:send').map(role =>
      isShared || isUnlimited(role) ? ofRole(role) : ofRole(role, creatorId),
    )
    return [draft('bulkSend', { id, state }, { audience: readers, conversationId: null })]
  },
  'contactImport.changed': ({ id, state }: DataOf<'contactImport.changed'>) => [
    draft('contactImport', { id, state }, { conversationId: null }),
  ],
  'chatImport.changed': ({ id, state }: DataOf<'chatImport.changed'>) => [
    draft(
      'chatImport',
      { id, state },
      { audience: rolesWith('member:manage').map(role => ofRole(role)), conversationId: null },
    ),
  ],
  'flow.changed': ({ flowId: id, change, revision }: DataOf<'flow.changed'>) => [
    draft('flow', { id, change, ...(revision === undefined ? {} : { revision }) }, { conversationId: null }),
  ],
  'flow.presence': ({ flowId: id, person, isGone }: DataOf<'flow.presence'>) => [
    draft('flowPresence', { id, person, isGone }, { conversationId: null }),
  ],
  'tag.created': ({ tagId: id }: DataOf<'tag.created'>) => [
    draft('tags', { id, change: 'created' }, { conversationId: null }),
  ],
  'tag.changed': ({ tagId: id }: DataOf<'tag.changed'>) => [
    draft('tags', { id, change: 'changed' }, { conversationId: null }),
  ],
  'tag.merged': ({ tagId: id }: DataOf<'tag.merged'>) => [
    draft('tags', { id, change: 'merged' }, { conversationId: null }),
  ],
  'tag.deleted': ({ tagId: id }: DataOf<'tag.deleted'>) => [
    draft('tags', { id, change: 'deleted' }, { conversationId: null }),
  ],
  'contentAccess.changed': () => [draft('contentAccess', {}, { conversationId: null })],
  'contentAccess.applied': () => [draft('contentAccess', {}, { conversationId: null })],
  'readyAnswer.changed': ({ userIds }: DataOf<'readyAnswer.changed'>) => [
    draft('readyAnswers', {}, { ...(userIds ? { audience: userIds } : {}), conversationId: null }),
  ],
  'savedView.changed': ({ userIds }: DataOf<'savedView.changed'>) => [
    draft('savedViews', {}, { ...(userIds ? { audience: userIds } : {}), conversationId: null }),
  ],
  'notification.raised': (facts: DataOf<'notification.raised'>, words: EventWords) => {
    const { id, userId, redirect, conversationId } = facts
    const data: LiveEvents['notify'] = {
      id: notificationEventPrefix + id,
      ...words.notice(facts.words),
      viewed: false,
      ...(redirect === null ? {} : { redirect }),
      kind: facts.words.key,
      ...(conversationId === null ? {} : { conversationId }),
    }
    return [draft('notify', data, { audience: [userId], conversationId })]
  },
  'notification.viewed': (facts: DataOf<'notification.viewed'>, words: EventWords) => {
    const { id, userId, redirect, conversationId } = facts
    const said = facts.words ? words.notice(facts.words) : { title: facts.title, message: facts.message }
    const data: LiveEvents['notify'] = {
      id: notificationEventPrefix + id,
      ...said,
      viewed: true,
      ...(redirect === null ? {} : { redirect }),
      ...(facts.words === null ? {} : { kind: facts.words.key }),
    }
    return [draft('notify', data, { audience: [userId], conversationId })]
  },
  'notification.preferencesChanged': ({ userId }: DataOf<'notification.preferencesChanged'>) => [
    draft('notificationSettings', {}, { audience: [userId], conversationId: null }),
  ],
  // The contact can no longer be seen. Same for every reader.
  'contact.erased': () => [draft('visibility', {}, { conversationId: null })],
  'visibility.changed': ({ userIds }: DataOf<'visibility.changed'>) => [
    draft('visibility', {}, { audience: userIds, conversationId: null }),
  ],
} satisfies Present

type Shown = keyof typeof presentations

/** The live events of these domain events, in order. */
export const presentEvents = (events: readonly DomainEvent[], words: EventWords): EventDraft[] =>
  events.flatMap(({ type, data }) => presentations[type as Shown]?.(data as never, words) ?? [])

/** Stores live events in the transaction of the change and publishes them after the commit. */
export const createLiveListener = (log: LiveLog, words: EventWords): TransactionListener<Shown> => ({
  name: 'live',
  on: Object.keys(presentations) as Shown[],
  after: [everyOther, 'changes of sight', 'push', 'search index', 'outgoing webhooks'],
  // A tab that misses an event shows old data until it reloads.
  essential: true,
  async handle(write, events) {
    const stored = await log.record(write.db, write.orgId, presentEvents(events, words), write.by)
    write.afterCommit(() => log.publish(stored))
  },
})

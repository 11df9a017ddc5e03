import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, nameOf, shortName } from '#server/messaging/conversations/shown/present.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'

const quietMs = 60 * 1000
/** After an outage old messages arrive in bulk. Customers who have waited longer than this raise no notice. */
export const freshMs = 10 * 60 * 1000
/** More are summarized in one sentence, because a screen full of toasts is not read. */
const maxCalls = 10

/**
 * Notifies people of conversations that have just begun to wait: each at most once a minute, at most ten at once, the
 * rest as a count. Sets `last_human_event_at` of the rows. The caller saves the rows and emits the returned events.
 */
export function callPeople(
  waiting: readonly ListRow[],
  now: Date,
  reason: 'firstMessage' | 'handedOver' = 'firstMessage',
): DomainEvent[] {
  const isQuiet = ({ last_human_event_at: last }: ListRow) =>
    last !== null && now.getTime() - Date.parse(last) < quietMs
  const isFresh = (row: ListRow) => now.getTime() - Date.parse(row.last_activity_at) <= freshMs
  const news = waiting.filter(row => !isQuiet(row))
  const called = news.filter(isFresh).slice(-maxCalls)
  const at = now.toISOString()
  const events = called.map((row): DomainEvent => {
    row.last_human_event_at = at
    const data = { ...conversationRef(row), name: shortName(nameOf(row)), reason, at }
    return { type: 'conversation.personNeeded', data }
  })
  const isCalled = new Set(called)
  const conversationIds = news.filter(row => !isCalled.has(row)).map(row => row.id)
  return conversationIds.length ? [...events, { type: 'conversation.manyWaiting', data: { conversationIds } }] : events
}

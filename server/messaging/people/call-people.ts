import type { DomainEvent } from '#server/platform/events/domain.ts'
import type { ListRow } from '../conversations/list-row-store.ts'
import { nameOf, placeOf } from '../present.ts'

const quietMs = 60 * 1000
/** After an outage old messages come in bulk: whoever has waited this long is found in the list, not called out. */
export const freshMs = 10 * 60 * 1000
/** More at once are told in one sentence: a screen full of toasts tells less. */
const maxCalls = 10
const maxSentenceChars = 140
/** The longest of the sentences in which a name stands, without the name. */
const sentenceChars = ' espera una respuesta'.length

/** Cut so that a sentence with it stays within 140 characters. */
export const shortName = (name: string): string => {
  const room = maxSentenceChars - sentenceChars
  if (name.length <= room) return name
  const cut = name.slice(0, room - 1).toWellFormed()
  return `${cut.replace(/\uFFFD$/, '')}…`
}

/**
 * Calls people to conversations that have just begun to wait: each at most once in a minute, and at most ten at once, the
 * rest as a number. Sets `last_human_event_at` of the rows; the caller saves them and emits what is answered.
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
    const data = { ...placeOf(row), name: shortName(nameOf(row)), reason, at }
    return { type: 'conversation.personNeeded', data }
  })
  const isCalled = new Set(called)
  const conversationIds = news.filter(row => !isCalled.has(row)).map(row => row.id)
  return conversationIds.length ? [...events, { type: 'conversation.manyWaiting', data: { conversationIds } }] : events
}

import type { LiveEvents } from '#shared/live.ts'
import type { Db } from '../db.ts'
import type { EventDraft } from '../live/hub.ts'
import { addressOf } from './identifier.ts'
import type { ListRow } from './list-row.ts'
import { listRepliers } from './members-store.ts'
import { nameOf } from './present.ts'

interface SaidWords {
  key: string
  params: Record<string, string | number>
}

/** Writes notifications for these people in the transaction and answers their events. Given by the notifications room. */
export type Notify = (
  trx: Db,
  orgId: string,
  notice: {
    userIds: readonly string[]
    title: string
    message: string
    redirect: string | null
    /** The same for readers of other languages. */
    words: SaidWords
    /** Unread ones of one conversation become one, which says `several`. */
    conversation?: { id: string; count?: number; several: SaidWords }
  },
) => Promise<EventDraft[]>

export const title = 'Nuevo mensaje de WhatsApp'
const maxSentenceChars = 140
const quietMs = 60 * 1000
/** After an outage old messages come in bulk: whoever has waited this long is found in the list, not called out. */
const freshMs = 10 * 60 * 1000
/** More at once are told in one sentence: a screen full of toasts tells less. */
const maxCalls = 10

const tail = ' espera una respuesta'

/** Cut so that the sentence stays within 140 characters. */
export const shortName = (name: string): string => {
  const room = maxSentenceChars - tail.length
  if (name.length <= room) return name
  const cut = name.slice(0, room - 1).toWellFormed()
  return `${cut.replace(/\uFFFD$/, '')}…`
}

/** `3 mensajes nuevos de Lucía Méndez`; the count is put in by whoever counts. */
export const severalWords = (name: string): SaidWords => ({ key: 'several', params: { name } })

/** `Lucía Méndez espera una respuesta`, the name cut so that the whole stays within 140 characters. */
const waitingSentence = (name: string): string => shortName(name) + tail

export const isFresh = (row: ListRow, now: number) => now - Date.parse(row.last_activity_at) <= freshMs
const isQuiet = (row: ListRow, now: number) =>
  row.last_human_event_at !== null && now - Date.parse(row.last_human_event_at) < quietMs

/**
 * Calls people to conversations that have just begun to wait: a `human` event and a notification each, at most one
 * per conversation in a minute, and at most ten at once, the rest in one sentence. Sets `last_human_event_at` of the
 * rows; the caller saves them.
 */
export async function callPeople(
  db: Db,
  orgId: string,
  waiting: readonly ListRow[],
  now: Date,
  notify: Notify,
): Promise<EventDraft[]> {
  const news = waiting.filter(row => !isQuiet(row, now.getTime()))
  if (!news.length) return []
  const at = now.toISOString()
  const called = news.filter(row => isFresh(row, now.getTime())).slice(-maxCalls)
  const others = news.length - called.length
  const userIds = await listRepliers(db, orgId)
  const drafts: EventDraft[] = []
  for (const row of called) {
    const number = addressOf(row)
    const message = waitingSentence(nameOf(row))
    row.last_human_event_at = at
    const params = { name: shortName(nameOf(row)) }
    const data: LiveEvents['human'] = { message, number, reason: 'firstMessage', params, conversationId: row.id, at }
    drafts.push({ type: 'human', number, data })
    if (!userIds.length) continue
    const words = { key: 'waiting', params }
    const conversation = { id: row.id, several: severalWords(params.name) }
    drafts.push(...(await notify(db, orgId, { userIds, title, message, words, conversation, redirect: `/${number}` })))
  }
  if (others > 0 && userIds.length) {
    const message =
      others === 1 ? 'Una conversación más espera una respuesta' : `${others} conversaciones más esperan una respuesta`
    const words = { key: 'waitingMore', params: { count: others } }
    drafts.push(...(await notify(db, orgId, { userIds, title, message, words, redirect: null })))
  }
  return drafts
}

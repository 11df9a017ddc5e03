import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { everyOther } from '#server/platform/events/listener-order.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import { createFollower } from '#server/platform/jobs/follower.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import {
  addToIndex,
  clearPending,
  findOrgKey,
  listBackFrom,
  listPending,
  listUnread,
  mergeSegments,
  orgKeys,
  readIndexedEmojiSeq,
  readIndexedSeq,
  removeFromIndex,
  saveIndexedEmojiSeq,
  saveIndexedSeq,
  type UnreadMessage,
} from './index-store.ts'
import { createOutline } from './outline.ts'
import { dropOutlines, firstWithout, markOutline, saveOutline } from './outline-store.ts'
import { firstSeqOf, stretchOf } from './stretch.ts'
import { isEmoji, wordsIn } from './words.ts'

interface IndexingParts {
  readonly databases: Databases
  readonly jobs: Jobs
  readonly clock: Clock
  readonly log: Log
}

/** A slice holds the event loop for about ten milliseconds. Fewer messages if they are long. */
const messagesPerSlice = 400
const pendingPerSlice = 15
const charsPerSlice = 96 * 1024
const pagesPerMerge = 16
const mergesPerSlice = 2
/** Pause between slices, so that other writers are not delayed. Messages that are not indexed yet are found too. */
const pauseMs = 40
/** Until a message is indexed, a search reads it directly. */
const indexAfterMs = 2_000
const slicesPerRun = 100

/** Indexes changed messages again. The blocks' Bloom filters (outlines) are invalid then. */
const reindex = async (trx: Db, messages: readonly UnreadMessage[]): Promise<void> => {
  await dropOutlines(trx, [...new Set(messages.map(({ seq }) => stretchOf(seq)))])
  await readIn(trx, messages)
}

const readIn = async (trx: Db, messages: readonly UnreadMessage[]): Promise<void> => {
  const keys = await orgKeys(trx, [...new Set(messages.map(message => message.org_id))])
  const shown = messages.filter(message => message.revoked_at === null)
  await addToIndex(
    trx,
    shown.map(({ seq, org_id, text }) => ({ seq, orgKey: keys.get(org_id) as number, words: wordsIn(text) })),
  )
}

/** The first messages that stay within `most` characters together with `others`, at least one. */
const firstOf = (messages: readonly UnreadMessage[], most: number, others: readonly UnreadMessage[] = []) => {
  let chars = others.reduce((sum, { text }) => sum + text.length, 0)
  return messages.filter((message, i) => {
    chars += message.text.length
    return i === 0 || chars <= most
  })
}

/** The result of a slice: nothing; the last messages; or a full slice, so that more may follow. */
type Found = 'nothing' | 'rest' | 'slice'

const readSlice = async (trx: Db, times: number): Promise<Found> => {
  const pending = await listPending(trx, pendingPerSlice)
  await clearPending(trx, pendingPerSlice)
  const indexedSeq = await readIndexedSeq(trx)
  const unread = await listUnread(trx, indexedSeq, messagesPerSlice * times)
  const slice = firstOf(unread, charsPerSlice * times, pending)
  await reindex(trx, pending)
  await readIn(trx, slice)
  const last = slice.at(-1)
  if (last) await saveIndexedSeq(trx, last.seq)
  if (!last && !pending.length) return 'nothing'
  const isWhole =
    pending.length === pendingPerSlice || unread.length === messagesPerSlice * times || slice.length < unread.length
  return isWhole ? 'slice' : 'rest'
}

/** Adds the emojis of messages that were indexed before emojis were words, one slice. False: all are done. */
const readEmojis = async (trx: Db, times: number): Promise<boolean> => {
  const indexedSeq = await readIndexedEmojiSeq(trx)
  if (indexedSeq === undefined) return false
  const back = await listBackFrom(trx, Math.min(indexedSeq, await readIndexedSeq(trx)), messagesPerSlice * times)
  const slice = firstOf(back, charsPerSlice * times)
  const found = slice.filter(({ text }) => wordsIn(text).some(isEmoji))
  await removeFromIndex(
    trx,
    found.map(({ seq }) => seq),
  )
  await reindex(trx, found)
  const last = slice.at(-1)
  await saveIndexedEmojiSeq(trx, last && last.seq - 1)
  return true
}

const takeSlice = (databases: Databases, times: number): Promise<Found> =>
  inTransaction(databases, async trx => {
    const read = await readSlice(trx, times)
    const found = read === 'nothing' && (await readEmojis(trx, times)) ? 'slice' : read
    for (let i = 0; i < mergesPerSlice * times; i += 1) if (!(await mergeSegments(trx, pagesPerMerge))) break
    return found
  })

/**
 * Indexes one slice and merges a few pages in the same commit. False: everything is indexed, and some of what was left
 * to merge is merged. `times`: slices in one commit, for programs that serve no requests.
 */
export const indexSlice = async (databases: Databases, times = 1): Promise<boolean> =>
  (await takeSlice(databases, times)) !== 'nothing'

/** Pause between blocks. */
const outlinePauseMs = 10

/** Builds the Bloom filter (outline) of one complete block. False: all have theirs, or it is postponed. */
export async function outlineStretch(
  databases: Databases,
  { pauseMs: rest, isToEnd = () => false }: { pauseMs: number; isToEnd?: () => boolean } = { pauseMs: 0 },
): Promise<boolean> {
  const { read } = databases
  if ((await readIndexedEmojiSeq(read)) !== undefined) return false
  const stretch = await firstWithout(read, stretchOf((await readIndexedSeq(read)) + 1))
  if (stretch === undefined) return false
  const mark = await inTransaction(databases, trx => markOutline(trx, stretch))
  const keys = new Map<string, number | undefined>()
  const outline = createOutline()
  const end = firstSeqOf(stretch + 1)
  for (let indexedSeq = firstSeqOf(stretch) - 1; ; ) {
    if (isToEnd()) return false
    const slice = firstOf(await listUnread(read, indexedSeq, messagesPerSlice), charsPerSlice)
    for (const { seq, org_id, text, revoked_at } of slice) {
      if (seq >= end || revoked_at !== null) continue
      if (!keys.has(org_id)) keys.set(org_id, await findOrgKey(read, org_id))
      const orgKey = keys.get(org_id)
      if (orgKey !== undefined) outline.add(orgKey, wordsIn(text))
    }
    indexedSeq = slice.at(-1)?.seq ?? end
    if (indexedSeq >= end) break
    await pause(rest)
  }
  await inTransaction(databases, trx => saveOutline(trx, stretch, { mark, parts: outline.parts() }))
  return true
}

/** Indexes new messages a few seconds after they are stored, and after an upgrade all messages. */
export function createIndexing(parts: IndexingParts) {
  const follower = createFollower(parts, {
    name: 'index',
    uniqueKey: 'message',
    afterMs: indexAfterMs,
    slicesPerRun,
    async takeSlice(signal) {
      const { databases } = parts
      const found = await takeSlice(databases, 1)
      if (found === 'slice') {
        await pause(pauseMs)
        return found
      }
      if (await outlineStretch(databases, { pauseMs: outlinePauseMs, isToEnd: () => signal.aborted }))
        return { kind: 'again', afterMs: 0 }
      // After a rest, wait until there is enough for a slice.
      return found === 'rest' ? { kind: 'again', afterMs: indexAfterMs } : undefined
    },
    async isBehind(db) {
      if ((await readIndexedEmojiSeq(db)) !== undefined) return true
      const indexedSeq = await readIndexedSeq(db)
      if ((await listUnread(db, indexedSeq, 1)).length > 0) return true
      return (await firstWithout(db, stretchOf(indexedSeq + 1))) !== undefined
    },
  })
  const listener: TransactionListener<
    | 'message.received'
    | 'message.sent'
    | 'message.sentToMany'
    | 'message.noted'
    | 'message.changed'
    | 'message.imported'
    | 'note.added'
  > = {
    name: 'search index',
    on: [
      'message.received',
      'message.sent',
      'message.sentToMany',
      'message.noted',
      'message.changed',
      'message.imported',
      'note.added',
    ],
    after: [everyOther],
    handle: follower.follow,
  }
  return { listener, start: follower.start }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hitsOf } from './hits.ts'
import { findOrgKey, listChangedTexts, listNewTexts, readIndexedSeq } from './index-store.ts'
import type { Narrowing } from './narrowing.ts'
import { isNarrowing, listNewestSeqs, meantOf } from './narrowing-store.ts'
import { newestThatMay } from './newest-store.ts'
import { hasWords } from './words.ts'

/** Newest messages that are read directly because they are not indexed. */
const maxRead = 10_000
const readPerTurn = 100
const maxChanged = 100
/** Messages that are checked at most. Each query checks more than the one before. */
const maxChecked = 20_000
/** If the search narrows further, some of what has the words may not match. Otherwise nearly everything does. */
const firstBatch = 100
const largestBatch = 1_000
/** Conversations searched when only customers were named and no words. */
const maxThreads = 20
const maxCheckedInThreads = 10_000

interface MessageSearch extends Narrowing {
  /** The message has all of them. Empty: any message. */
  readonly words: readonly string[]
  /** `seq` of a message: only messages that arrived earlier. */
  readonly before?: number | undefined
  readonly limit: number
}

interface FoundSeqs {
  /** `seq` of messages, latest arrival first. */
  readonly seqs: readonly number[]
  /** True: not everything was checked, so older messages may match too. */
  readonly isPartial: boolean
}

async function findAmongNew(db: Db, viewer: Viewer, indexedSeq: number, search: MessageSearch): Promise<number[]> {
  const { words, limit, conversationId } = search
  const isMeant = (row: { text: string; id: string }) =>
    (conversationId === undefined || row.id === conversationId) && hasWords(row.text, words)
  const found = (await listChangedTexts(db, viewer, { limit: maxChanged }))
    .filter(row => row.seq < (search.before ?? Number.POSITIVE_INFINITY) && isMeant(row))
    .map(row => row.seq)
  // Few of the messages with the words may match.
  const enough = isNarrowing(search) ? maxRead : limit + maxChanged
  let { before = Number.MAX_SAFE_INTEGER } = search
  for (let read = 0; read < maxRead && found.length < enough; read += readPerTurn) {
    const rows = await listNewTexts(db, viewer, { indexedSeq, before, limit: readPerTurn })
    for (const row of rows) if (isMeant(row)) found.push(row.seq)
    if (rows.length < readPerTurn) break
    before = rows.at(-1)?.seq ?? before
    await nextTurn()
  }
  return found
}

/** Checks larger and larger batches of `next`, until it ends, enough is found or the limit is reached. */
async function checkBatches(
  db: Db,
  viewer: Viewer,
  search: MessageSearch,
  next: (batchSize: number) => Promise<readonly number[]>,
): Promise<FoundSeqs> {
  const found: number[] = []
  let looked = 0
  const isWhole = viewer.scope.kind === 'all' && !isNarrowing(search)
  for (let batchSize = Math.max(isWhole ? 0 : firstBatch, search.limit); found.length < search.limit; ) {
    if (looked >= maxChecked) return { seqs: found, isPartial: true }
    const seqs = await next(batchSize)
    found.push(...(await meantOf(db, viewer, seqs, search)))
    if (seqs.length < batchSize) break
    looked += seqs.length
    batchSize = Math.min(2 * batchSize, largestBatch)
    await nextTurn()
  }
  return { seqs: found.slice(0, search.limit), isPartial: false }
}

async function findInIndex(db: Db, viewer: Viewer, indexedSeq: number, search: MessageSearch): Promise<FoundSeqs> {
  const { words, before = indexedSeq + 1 } = search
  const orgKey = await findOrgKey(db, viewer.orgId)
  if (orgKey === undefined) return { seqs: [], isPartial: false }
  return checkBatches(db, viewer, search, hitsOf(db, orgKey, words, Math.min(before, indexedSeq + 1)))
}

/** Searches all messages of the organization. Without words, returns the newest ones. */
function findAmongAll(db: Db, viewer: Viewer, search: MessageSearch): Promise<FoundSeqs> {
  let before = search.before ?? Number.MAX_SAFE_INTEGER
  const newest = newestThatMay(search)
  return checkBatches(db, viewer, search, async batchSize => {
    const seqs = await newest(db, viewer.orgId, { before, limit: batchSize })
    before = seqs.at(-1) ?? before
    return seqs
  })
}

/** Searches the messages of these conversations. Without words, returns the newest ones. */
async function findInThreads(
  db: Db,
  viewer: Viewer,
  conversationIds: readonly string[],
  search: MessageSearch,
): Promise<FoundSeqs> {
  const { before = Number.POSITIVE_INFINITY, limit } = search
  const looked = conversationIds.slice(0, maxThreads)
  const each = Math.floor(maxCheckedInThreads / Math.max(looked.length, 1))
  const found: number[] = []
  let isPartial = looked.length < conversationIds.length
  for (const conversationId of looked) {
    const seqs = await listNewestSeqs(db, viewer.orgId, { conversationId, limit: each })
    if (seqs.length === each) isPartial = true
    for (let at = 0; at < seqs.length; at += largestBatch) {
      const batchSize = seqs.slice(at, at + largestBatch).filter(seq => seq < before)
      found.push(...(await meantOf(db, viewer, batchSize, search)))
      await nextTurn()
    }
  }
  const seqs = found.sort((a, b) => b - a).slice(0, limit)
  return { seqs, isPartial: isPartial && seqs.length < limit }
}

/**
 * Messages that match by words or beginnings of words, file names and the other conditions, latest arrival first, at
 * most `limit`, among those the viewer sees. Checks at most about 20,000 of the newest messages with the words. Without
 * words: as many of the organization, or 10,000 of the conversation, or of the twenty latest conversations with the
 * named customers.
 */
export async function findMessages(db: Db, viewer: Viewer, search: MessageSearch): Promise<FoundSeqs> {
  const { words, limit, conversationId, fromCustomersOf } = search
  if (!words.length) {
    const threads = conversationId === undefined ? fromCustomersOf : [conversationId]
    return threads ? findInThreads(db, viewer, threads, search) : findAmongAll(db, viewer, search)
  }
  // In this order, a message that is indexed meanwhile is found twice instead of missed.
  const indexedSeq = await readIndexedSeq(db)
  const isNew = await meantOf(db, viewer, await findAmongNew(db, viewer, indexedSeq, search), search)
  const indexed =
    isNew.length >= limit + maxChanged
      ? { seqs: [], isPartial: false }
      : await findInIndex(db, viewer, await readIndexedSeq(db), search)
  const seqs = [...new Set([...isNew, ...indexed.seqs])].sort((a, b) => b - a).slice(0, limit)
  return { seqs, isPartial: indexed.isPartial && seqs.length < limit }
}

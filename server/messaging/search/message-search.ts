import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hitsOf } from './hits.ts'
import { findOrgKey, listChangedTexts, listNewTexts, readPlace } from './index-store.ts'
import type { Narrowing } from './narrowing.ts'
import { isNarrowing, meantOf, newestSeqsOf } from './narrowing-store.ts'
import { newestThatMay } from './newest-store.ts'
import { hasWords } from './words.ts'

/** What is not in the index yet is read itself, so many of the newest. */
const maxRead = 10_000
const readPerTurn = 100
const maxChanged = 100
/** So many messages are asked whether they are meant; each look is larger than the last. */
const maxLooked = 20_000
/** Where some of what has the words may not be meant; else nearly all of it is. */
const firstLook = 100
const largestLook = 1_000
/** Without words, so many of the conversations whose customers are meant. */
const maxThreads = 20
const maxLookedInThreads = 10_000

export interface MessageSearch extends Narrowing {
  /** All of them are in the message; none: whatever was said. */
  readonly words: readonly string[]
  /** `seq` of a message: only older arrivals. */
  readonly before?: number | undefined
  readonly limit: number
}

export interface FoundSeqs {
  /** `seq` of messages, what arrived last first. */
  readonly seqs: readonly number[]
  /** True: not everything could be looked at; there may be older ones. */
  readonly isPartial: boolean
}

async function findAmongNew(db: Db, viewer: Viewer, place: number, search: MessageSearch): Promise<number[]> {
  const { words, limit, conversationId } = search
  const isMeant = (row: { text: string; id: string }) =>
    (conversationId === undefined || row.id === conversationId) && hasWords(row.text, words)
  const found = (await listChangedTexts(db, viewer, { limit: maxChanged }))
    .filter(row => row.seq < (search.before ?? Number.POSITIVE_INFINITY) && isMeant(row))
    .map(row => row.seq)
  // Of what has the words, few may be meant.
  const enough = isNarrowing(search) ? maxRead : limit + maxChanged
  let { before = Number.MAX_SAFE_INTEGER } = search
  for (let read = 0; read < maxRead && found.length < enough; read += readPerTurn) {
    const rows = await listNewTexts(db, viewer, { place, before, limit: readPerTurn })
    for (const row of rows) if (isMeant(row)) found.push(row.seq)
    if (rows.length < readPerTurn) break
    before = rows.at(-1)?.seq ?? before
    await nextTurn()
  }
  return found
}

/** Larger and larger looks at what `next` has, until it has no more, enough is found or too much was looked at. */
async function lookThrough(
  db: Db,
  viewer: Viewer,
  search: MessageSearch,
  next: (look: number) => Promise<readonly number[]>,
): Promise<FoundSeqs> {
  const found: number[] = []
  let looked = 0
  const isWhole = viewer.scope.kind === 'all' && !isNarrowing(search)
  for (let look = Math.max(isWhole ? 0 : firstLook, search.limit); found.length < search.limit; ) {
    if (looked >= maxLooked) return { seqs: found, isPartial: true }
    const seqs = await next(look)
    found.push(...(await meantOf(db, viewer, seqs, search)))
    if (seqs.length < look) break
    looked += seqs.length
    look = Math.min(2 * look, largestLook)
    await nextTurn()
  }
  return { seqs: found.slice(0, search.limit), isPartial: false }
}

async function findInIndex(db: Db, viewer: Viewer, place: number, search: MessageSearch): Promise<FoundSeqs> {
  const { words, before = place + 1 } = search
  const orgKey = await findOrgKey(db, viewer.orgId)
  if (orgKey === undefined) return { seqs: [], isPartial: false }
  return lookThrough(db, viewer, search, hitsOf(db, orgKey, words, Math.min(before, place + 1)))
}

/** Without words: the newest of the organization. */
function findAmongAll(db: Db, viewer: Viewer, search: MessageSearch): Promise<FoundSeqs> {
  let before = search.before ?? Number.MAX_SAFE_INTEGER
  const newest = newestThatMay(search)
  return lookThrough(db, viewer, search, async look => {
    const seqs = await newest(db, viewer.orgId, { before, limit: look })
    before = seqs.at(-1) ?? before
    return seqs
  })
}

/** Without words: the newest of these conversations. */
async function findInThreads(
  db: Db,
  viewer: Viewer,
  conversationIds: readonly string[],
  search: MessageSearch,
): Promise<FoundSeqs> {
  const { before = Number.POSITIVE_INFINITY, limit } = search
  const looked = conversationIds.slice(0, maxThreads)
  const each = Math.floor(maxLookedInThreads / Math.max(looked.length, 1))
  const found: number[] = []
  let isPartial = looked.length < conversationIds.length
  for (const conversationId of looked) {
    const seqs = await newestSeqsOf(db, viewer.orgId, { conversationId, limit: each })
    if (seqs.length === each) isPartial = true
    for (let at = 0; at < seqs.length; at += largestLook) {
      const look = seqs.slice(at, at + largestLook).filter(seq => seq < before)
      found.push(...(await meantOf(db, viewer, look, search)))
      await nextTurn()
    }
  }
  const seqs = found.sort((a, b) => b - a).slice(0, limit)
  return { seqs, isPartial: isPartial && seqs.length < limit }
}

/**
 * Messages that are meant, by their words or the beginnings of those, the names of their files, and what else narrows the
 * search: what arrived last first, `limit` at most; of those the viewer sees, in the inbox as it is shown now. No more
 * than some twenty thousand of the newest that have the words are looked at; without words as many of the organization,
 * or ten thousand of the conversation, or of the twenty whose customers are meant and that were active last.
 */
export async function findMessages(db: Db, viewer: Viewer, search: MessageSearch): Promise<FoundSeqs> {
  const { words, limit, conversationId, fromCustomersOf } = search
  if (!words.length) {
    const threads = conversationId === undefined ? fromCustomersOf : [conversationId]
    return threads ? findInThreads(db, viewer, threads, search) : findAmongAll(db, viewer, search)
  }
  // In this order: what is read in meanwhile is found twice, not missed.
  const place = await readPlace(db)
  const isNew = await meantOf(db, viewer, await findAmongNew(db, viewer, place, search), search)
  const indexed =
    isNew.length >= limit + maxChanged
      ? { seqs: [], isPartial: false }
      : await findInIndex(db, viewer, await readPlace(db), search)
  const seqs = [...new Set([...isNew, ...indexed.seqs])].sort((a, b) => b - a).slice(0, limit)
  return { seqs, isPartial: indexed.isPartial && seqs.length < limit }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../db.ts'
import type { Viewer } from '../visibility/scope.ts'
import {
  findOrgKey,
  findSeqs,
  listChangedTexts,
  listNewTexts,
  type Narrowed,
  newestStretch,
  readPlace,
  seenOf,
} from './index-store.ts'
import { hasWords } from './words.ts'

/** What is not in the index yet is read itself, so many of the newest. */
const maxRead = 10_000
const readPerTurn = 100
const maxChanged = 100
/** Of messages with the words, so many are asked whether this viewer sees them; each look is larger than the last. */
const maxLooked = 20_000
const firstLook = 100
const largestLook = 1_000

interface MessageSearch extends Narrowed {
  readonly words: readonly string[]
  /** `seq` of a message: only older arrivals. */
  readonly before?: number | undefined
  readonly limit: number
}

async function findAmongNew(db: Db, viewer: Viewer, place: number, search: MessageSearch): Promise<number[]> {
  const { words, limit, conversationId } = search
  const isMeant = (row: { text: string; id: string }) =>
    (conversationId === undefined || row.id === conversationId) && hasWords(row.text, words)
  const found = (await listChangedTexts(db, viewer, maxChanged))
    .filter(row => row.seq < (search.before ?? Number.POSITIVE_INFINITY) && isMeant(row))
    .map(row => row.seq)
  let { before } = search
  for (let read = 0; read < maxRead && found.length < limit + maxChanged; read += readPerTurn) {
    const rows = await listNewTexts(db, viewer, { place, before, limit: readPerTurn })
    for (const row of rows) if (isMeant(row)) found.push(row.seq)
    if (rows.length < readPerTurn) break
    before = rows.at(-1)?.seq
    await nextTurn()
  }
  return found
}

async function findInIndex(db: Db, viewer: Viewer, place: number, search: MessageSearch): Promise<number[]> {
  const { words, limit, before = place + 1 } = search
  const orgKey = await findOrgKey(db, viewer.orgId)
  if (orgKey === undefined) return []
  const found: number[] = []
  let looked = 0
  let look = Math.max(firstLook, limit)
  let end = Math.min(before, place + 1)
  for (let stretch = newestStretch(end); stretch >= 0 && found.length < limit && looked < maxLooked; ) {
    const seqs = await findSeqs(db, orgKey, stretch, words, look, end)
    found.push(...(await seenOf(db, viewer, seqs, search)))
    looked += seqs.length
    if (seqs.length < look) stretch -= 1
    else {
      end = seqs.at(-1) as number
      look = Math.min(2 * look, largestLook)
    }
    await nextTurn()
  }
  return found
}

/**
 * Messages in which somebody said all of these words, or words that begin with them, or whose file is called so: their
 * `seq`, what arrived last first, `limit` at most; of those the viewer sees, in the inbox as it is shown now. Where most of
 * what was found is not for the viewer, or not of the conversation, so much as the twenty thousand newest are looked at.
 */
export async function findMessagesByText(db: Db, viewer: Viewer, search: MessageSearch): Promise<number[]> {
  if (!search.words.length) return []
  // In this order: what is read in meanwhile is found twice, not missed.
  const place = await readPlace(db)
  const isNew = await seenOf(db, viewer, await findAmongNew(db, viewer, place, search), search)
  const indexed =
    isNew.length >= search.limit + maxChanged ? [] : await findInIndex(db, viewer, await readPlace(db), search)
  return [...new Set([...isNew, ...indexed])].sort((a, b) => b - a).slice(0, search.limit)
}

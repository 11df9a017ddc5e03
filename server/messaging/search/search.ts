import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hitsOf } from './hits.ts'
import { conversationsOf, findOrgKey, listChangedTexts, listNewTexts, readPlace } from './index-store.ts'
import { hasWords, wordsOf } from './words.ts'

/** Of messages with the words, so many of the newest say which conversations are found. */
const maxHits = 2_000
/** What is not in the index yet is read itself, the newest first: after an upgrade that is more than the last seconds. */
const maxRead = 10_000
const readPerTurn = 100
const maxChanged = 100
const maxFound = 500

const findAmongNew = async (db: Db, viewer: Viewer, words: readonly string[], place: number): Promise<string[]> => {
  const found = new Set<string>()
  for (const row of await listChangedTexts(db, viewer, { limit: maxChanged }))
    if (hasWords(row.text, words)) found.add(row.id)
  let before = Number.MAX_SAFE_INTEGER
  for (let read = 0; read < maxRead && found.size < maxFound; read += readPerTurn) {
    const rows = await listNewTexts(db, viewer, { place, before, limit: readPerTurn })
    for (const row of rows) if (hasWords(row.text, words)) found.add(row.id)
    if (rows.length < readPerTurn) break
    before = rows.at(-1)?.seq ?? before
    await nextTurn()
  }
  return [...found]
}

const findInIndex = async (db: Db, viewer: Viewer, words: readonly string[], place: number): Promise<string[]> => {
  const orgKey = await findOrgKey(db, viewer.orgId)
  if (orgKey === undefined) return []
  return conversationsOf(db, viewer, await hitsOf(db, orgKey, words, place + 1)(maxHits))
}

/**
 * Conversations in which somebody said these words, or words that begin with them, all in one message, whenever it was;
 * names of files count, accents, case and marks do not. At most some two thousand, in no order; empty where nothing of
 * what was typed is a word.
 */
export async function findConversationsByText(db: Db, viewer: Viewer, typed: string): Promise<string[]> {
  const words = wordsOf(typed)
  if (!words.length) return []
  // In this order: what is read in meanwhile is found twice, not missed.
  const isNew = await findAmongNew(db, viewer, words, await readPlace(db))
  return [...new Set([...isNew, ...(await findInIndex(db, viewer, words, await readPlace(db)))])]
}

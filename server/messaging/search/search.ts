import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hitsOf } from './hits.ts'
import { conversationsOf, findOrgKey, listChangedTexts, listNewTexts, readIndexedSeq } from './index-store.ts'
import { hasWords, searchWords } from './words.ts'

/** The newest messages with the words that are used to find conversations. */
const maxHits = 2_000
/** Messages that are not indexed are read directly, newest first. After an upgrade these are many. */
const maxRead = 10_000
const readPerTurn = 100
const maxChanged = 100
const maxFound = 500

const findAmongNew = async (
  db: Db,
  viewer: Viewer,
  words: readonly string[],
  indexedSeq: number,
): Promise<string[]> => {
  const found = new Set<string>()
  for (const row of await listChangedTexts(db, viewer, { limit: maxChanged }))
    if (hasWords(row.text, words)) found.add(row.id)
  let before = Number.MAX_SAFE_INTEGER
  for (let read = 0; read < maxRead && found.size < maxFound; read += readPerTurn) {
    const rows = await listNewTexts(db, viewer, { indexedSeq, before, limit: readPerTurn })
    for (const row of rows) if (hasWords(row.text, words)) found.add(row.id)
    if (rows.length < readPerTurn) break
    before = rows.at(-1)?.seq ?? before
    await nextTurn()
  }
  return [...found]
}

const findInIndex = async (db: Db, viewer: Viewer, words: readonly string[], indexedSeq: number): Promise<string[]> => {
  const orgKey = await findOrgKey(db, viewer.orgId)
  if (orgKey === undefined) return []
  return conversationsOf(db, viewer, await hitsOf(db, orgKey, words, indexedSeq + 1)(maxHits))
}

/**
 * Conversations with a message that contains all these words, or words that begin with them. File names count; accents,
 * case and punctuation do not. At most about 2,000, in no order. Empty when the text has no word.
 */
export async function findConversationsByText(db: Db, viewer: Viewer, typed: string): Promise<string[]> {
  const words = searchWords(typed)
  if (!words.length) return []
  // In this order, a message that is indexed meanwhile is found twice instead of missed.
  const isNew = await findAmongNew(db, viewer, words, await readIndexedSeq(db))
  return [...new Set([...isNew, ...(await findInIndex(db, viewer, words, await readIndexedSeq(db)))])]
}

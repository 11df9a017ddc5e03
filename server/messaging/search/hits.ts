import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import { findSeqs } from './index-store.ts'
import { stretchesThatMay } from './outline-store.ts'
import { stretchOf } from './stretch.ts'

/** Number of index blocks read in one event loop turn. */
const maxAtOnce = 4

/** The next `most` message numbers (`seq`). Fewer: there are no more. */
type NextHits = (most: number) => Promise<readonly number[]>

/**
 * Messages before `end` that contain all words according to the index, newest first. Reads the newest block, then those
 * whose Bloom filter (outline) may contain the words.
 */
export function hitsOf(db: Db, orgKey: number, words: readonly string[], end: number): NextHits {
  const newest = stretchOf(Math.max(end - 1, 0))
  let before = end
  let asked: readonly number[] = [newest]
  let older: readonly number[] | undefined
  const goBack = async () => {
    older ??= await stretchesThatMay(db, orgKey, words, newest)
    // Where few were found, more blocks are read at once.
    const count = Math.min(2 * Math.max(asked.length, 1), maxAtOnce)
    asked = older.slice(0, count)
    older = older.slice(count)
  }
  const ask = async (most: number) => {
    const seqs = await findSeqs(db, orgKey, asked, words, { most, end: before })
    if (seqs.length === most) {
      before = seqs.at(-1) as number
      asked = asked.filter(stretch => stretch <= stretchOf(before - 1))
    }
    if (seqs.length < most || !asked.length) await goBack()
    return seqs
  }
  return async most => {
    const found: number[] = []
    for (let isFirst = true; asked.length && found.length < most; isFirst = false) {
      if (!isFirst) await nextTurn()
      found.push(...(await ask(most - found.length)))
    }
    return found
  }
}

import type { Db } from '#server/platform/db/database.ts'
import { readCountingProgress } from './sent-store.ts'

/** Messages of the last moments are always behind. */
const usualBacklog = 5_000

/** The part of all messages that is counted; null: all of them. */
export async function countingOf(db: Db): Promise<{ done: number } | null> {
  const { read, last } = await readCountingProgress(db)
  return last - read > usualBacklog ? { done: read / last } : null
}

import type { Db } from '#server/platform/db/database.ts'
import { countingProgress } from '../progress.ts'
import { readCountingProgress } from './sent-store.ts'

/** The part of all messages that is counted; null: all of them. */
export const countingOf = async (db: Db): Promise<{ done: number } | null> =>
  countingProgress(await readCountingProgress(db))

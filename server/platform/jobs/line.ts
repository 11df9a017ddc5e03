import type { Db } from '#server/platform/db/database.ts'
import { jobStore } from './store.ts'

/** Moves waiting jobs from one line to another, in the caller's transaction. */
export const moveLine = (trx: Db, orgId: string, keys: { from: string; to: string }): Promise<void> =>
  jobStore.moveLine(trx, orgId, keys)

import type { Db } from '#server/platform/db/database.ts'
import { jobStore } from './store.ts'

/** What waits behind one order key stands behind another from now on, in the caller's transaction. */
export const moveLine = (trx: Db, orgId: string, keys: { from: string; to: string }): Promise<void> =>
  jobStore.moveLine(trx, orgId, keys)

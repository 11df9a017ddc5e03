import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { type Clock, isoIn } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { deleteOldSegments } from './store.ts'

/** Segments are deleted this long after they began. A page shows at most 366 days. */
export const keptMs = 5 * 366 * 86_400_000
const rowsPerBatch = 300

/** Deletes old segments; the packs of their days follow by triggers. */
export const pruneSegments = (databases: Databases, clock: Clock): Promise<number> =>
  inBatches(rowsPerBatch, limit =>
    inTransaction(databases, trx => deleteOldSegments(trx, isoIn(clock, -keptMs), limit), { isForMany: true }),
  )

import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { deleteEventsBefore } from './store.ts'
import { deleteOtherStreams } from './stream-store.ts'

/** Longer than the other side repeats an event that was not answered. */
const idsKeptMs = 3 * 24 * 60 * 60 * 1000
const rowsPerBatch = 500

/** Deletes ids of events that do not come again any more, and places in streams of former addresses. */
export async function pruneEvents(databases: Databases, streamAddress: string, now: Date): Promise<number> {
  const before = new Date(now.getTime() - idsKeptMs).toISOString()
  await deleteOtherStreams(databases.write, streamAddress, before)
  return inBatches(rowsPerBatch, limit =>
    inTransaction(databases, trx => deleteEventsBefore(trx, before, limit), { isForMany: true }),
  )
}

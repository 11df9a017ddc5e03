import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { type Clock, isoIn } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { keptMs } from '../segments/retention.ts'
import { deleteDaysBefore, deleteSentBefore } from './sent-store.ts'

const rowsPerBatch = 300
/** A day of an organization may have thousands of rows: one for each template, number, country and way of billing. */
const daysPerBatch = 1

/** Deletes counted messages and their sums when they are as old as segments get. */
export async function pruneSent(databases: Databases, clock: Clock): Promise<number> {
  const before = isoIn(clock, -keptMs)
  const messages = await inBatches(rowsPerBatch, limit =>
    inTransaction(databases, trx => deleteSentBefore(trx, before, limit), { isForMany: true }),
  )
  const days = await inBatches(daysPerBatch, limit =>
    inTransaction(databases, trx => deleteDaysBefore(trx, before.slice(0, 10), limit), { isForMany: true }),
  )
  return messages + days
}

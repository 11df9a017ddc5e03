import { systemActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { JobQueue } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { insertAttempts, type NewAttempt } from './attempt-store.ts'
import type { SendJob } from './send-outcomes.ts'

export interface AttemptBatchParts {
  readonly writes: Pick<Writes, 'runMany'>
  readonly clock: Clock
  readonly messages: () => Pick<JobQueue<unknown>, 'listHeld'>
}

interface Request {
  readonly job: SendJob
  readonly callback: string
  readonly owner: string
  readonly at: PromiseWithResolvers<string | undefined>
}

/** Larger inserts hold the database writer too long. */
const maxBatch = 128

/**
 * Writes the attempts of bulk messages just before their requests, those of the same moment in one commit. They are
 * claimed some time before that; a message without an attempt has certainly not been sent when its process dies.
 */
export function createAttemptBatches({ writes, clock, messages }: AttemptBatchParts) {
  let open: Request[] = []
  let isWriting = false

  const commit = (some: readonly Request[]) =>
    writes.runMany(
      systemActor('outbox'),
      async ({ db }) => {
        // If this process stood still, its jobs may have been given to another process. Those are not sent here.
        const held = new Set<Request>()
        for (const [owner, own] of Map.groupBy(some, one => one.owner)) {
          const jobs = own.map(({ job }) => job)
          const seqs = await messages().listHeld(db, owner, jobs)
          for (const one of own) if (seqs.has(one.job.seq)) held.add(one)
        }
        const at = isoNow(clock)
        const attempts = Array.from(
          held,
          ({ job, callback }): NewAttempt => ({ orgId: job.orgId, messageId: job.payload.messageId, callback, at }),
        )
        await insertAttempts(db, attempts, {})
        return { held, at }
      },
      { isForMany: true },
    )

  const write = async () => {
    // Calls of the same event loop turn share one commit.
    await new Promise(resolve => setImmediate(resolve))
    while (open.length) {
      const some = open.slice(0, maxBatch)
      open = open.slice(some.length)
      try {
        const { held, at } = await commit(some)
        for (const one of some) one.at.resolve(held.has(one) ? at : undefined)
      } catch (error) {
        for (const one of some) one.at.reject(error)
      }
    }
    isWriting = false
  }

  /**
   * Resolves once the attempt is stored: the time that was written. Undefined: the job no longer belongs to this
   * process.
   */
  return (job: SendJob, { callback, owner }: { callback: string; owner: string }): Promise<string | undefined> => {
    const at = Promise.withResolvers<string | undefined>()
    open.push({ job, callback, owner, at })
    if (!isWriting) {
      isWriting = true
      void write()
    }
    return at.promise
  }
}

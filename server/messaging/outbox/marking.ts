import { systemActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { JobQueue } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { insertAttempts, type NewAttempt } from './attempt-store.ts'
import type { SendJob } from './fate.ts'

export interface MarkingParts {
  readonly writes: Pick<Writes, 'runMany'>
  readonly clock: Clock
  readonly messages: () => Pick<JobQueue<unknown>, 'listHeld'>
}

interface Asked {
  readonly job: SendJob
  readonly callback: string
  readonly owner: string
  readonly at: PromiseWithResolvers<string | undefined>
}

/** As many as share one insert without holding the writer. */
const mostAtOnce = 128

/**
 * What goes to many is claimed some time before its turn: its attempt is written just before its request, by what comes
 * at that moment together. What has none when its process dies has not left.
 */
export function createMarking({ writes, clock, messages }: MarkingParts) {
  let open: Asked[] = []
  let isWriting = false

  const commit = (some: readonly Asked[]) =>
    writes.runMany(
      systemActor('outbox'),
      async ({ db }) => {
        // What was given away while this process stood still is somebody else's to send.
        const held = new Set<Asked>()
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
    // Those whose turn is in the same moment ask in the same turn of the event loop.
    await new Promise(resolve => setImmediate(resolve))
    while (open.length) {
      const some = open.slice(0, mostAtOnce)
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

  /** Its request may leave when this is over: when that was written. Undefined: it is not this process's any more. */
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

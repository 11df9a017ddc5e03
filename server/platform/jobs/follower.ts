import { Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn } from '#server/platform/time/clock.ts'
import type { Outcome } from './job.ts'
import type { Jobs } from './jobs.ts'

interface FollowerParts {
  readonly databases: Databases
  readonly jobs: Jobs
  readonly clock: Clock
  readonly log: Log
}

interface Following {
  /** The name of its kind of job. */
  readonly name: string
  readonly uniqueKey: string
  /** The job waits this long after a change, so that one run takes a burst of changes. */
  readonly afterMs: number
  /** After this many slices the job ends and is queued again, so that other jobs of its lane run. */
  readonly slicesPerRun: number
  /** Takes the next changes. `slice`: more may follow. Otherwise how the job ends. */
  takeSlice(signal: AbortSignal): Promise<'slice' | Outcome | undefined>
  /** True if changes are left from before the follower existed, or from a process that ended. */
  isBehind(db: Db): Promise<boolean>
}

/** The job belongs to no organization: it follows the changes of all. */
const installation = ''
/** The unique key of the job that checks once more for changes. */
const lookKey = 'look again'

/** A background job that takes what changed, a slice at a time, soon after the change is committed. */
export function createFollower({ databases, jobs, clock, log }: FollowerParts, following: Following) {
  const { name, uniqueKey, afterMs, slicesPerRun, takeSlice, isBehind } = following
  const queue = jobs.register({
    name,
    looksWithinMs: afterMs,
    payload: Type.Object({}),
    lane: 'bulk',
    atOnce: 1,
    isKept: false,
    async run(job, { signal }) {
      for (let i = 0; i < slicesPerRun; i += 1) {
        if (signal.aborted) return undefined
        const found = await takeSlice(signal)
        if (found === undefined && job.uniqueKey === uniqueKey) return lookAgain
        if (found !== 'slice') return found
      }
      return { kind: 'again', afterMs: 0 }
    },
    lost: () => ({ kind: 'again', afterMs }),
  })
  const add = (trx: Db, key = uniqueKey) =>
    queue.add(trx, installation, [{ payload: {}, uniqueKey: key, dueAt: isoIn(clock, afterMs) }])
  /**
   * A change committed between the last slice and the end of the job found the job still running and queued none. A
   * second job takes it, with a key of its own, so that later changes queue the first again.
   */
  const lookAgain: Outcome = { kind: 'done', write: ({ db }) => add(db, lookKey) }
  return {
    /** Queues the job in the transaction of a change. */
    async follow({ db, afterCommit }: { db: Db; afterCommit(run: () => void): void }): Promise<void> {
      if (await add(db)) afterCommit(queue.wake)
    },
    /** Queues the job if changes are left. Never fails. */
    async start(): Promise<void> {
      try {
        if ((await isBehind(databases.read)) && (await inTransaction(databases, trx => add(trx)))) queue.wake()
      } catch (error) {
        log.error({ err: error, job: name }, 'queueing a job that follows changes failed; the next change queues it')
      }
    },
  }
}

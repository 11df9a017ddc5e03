import { setImmediate as nextTurn } from 'node:timers/promises'
import { inBatches } from '../../in-batches.ts'
import { deleteJobsSince, nextDueMs } from './job-store.ts'
import { deleteMediaBefore } from './media-store.ts'
import { deleteMessagesBefore } from './message-store.ts'
import { nowMs, type SandboxParts } from './parts.ts'
import { createPoster } from './poster.ts'
import { advanceSteps } from './stepper.ts'
import { advanceReviews } from './template-review.ts'
import { nextReviewMs } from './template-store.ts'

const longestSleepMs = 60_000
const troubleMs = 2_000
/** Another process simulates; should it die, it is this one's turn. */
const otherMs = 1_000
const keptMs = 30 * 86_400_000
const pruneEveryMs = 3_600_000
const prunedAtOnce = 500
/** Their bytes are rows as well. */
const filesAtOnce = 20

/**
 * One loop over the rows that wait, with one timer to the next of them. What was due while the process was away is
 * done at the start.
 */
export function createLoop(parts: Pick<SandboxParts, 'databases' | 'clock' | 'log' | 'vault' | 'deliver' | 'lease'>) {
  const { databases, clock, log } = parts
  let isStarted = false
  let isStopping = false
  let isAgain = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let prunedMs = 0
  const poster = createPoster(parts, () => kick())

  const sleep = (ms: number) => {
    clearTimeout(timer)
    if (!isStarted || isStopping) return
    timer = setTimeout(kick, Math.max(1, Math.min(longestSleepMs, ms)))
    timer.unref()
  }

  /** Meta keeps what could not be delivered for thirty days. */
  const prune = async () => {
    const now = nowMs(clock)
    if (now - prunedMs < pruneEveryMs) return
    prunedMs = now
    const db = databases.write
    await inBatches(filesAtOnce, limit => deleteMediaBefore(db, now, limit))
    await inBatches(prunedAtOnce, limit => deleteJobsSince(db, now - keptMs, limit))
    await inBatches(prunedAtOnce, limit => deleteMessagesBefore(db, now - keptMs, limit))
  }

  const work = async () => {
    try {
      if (!(await parts.lease.take())) {
        isAgain = false
        return sleep(otherMs)
      }
      // What falls due while this turn works must count as next, so the look ahead begins where the turn did.
      let lookedMs = nowMs(clock)
      do {
        isAgain = false
        lookedMs = nowMs(clock)
        while (!isStopping && (await advanceSteps(parts))) await nextTurn()
        while (!isStopping && (await advanceReviews(parts))) await nextTurn()
        if (!isStopping) await poster.claim()
      } while (isAgain && !isStopping)
      await prune()
      const [job, review] = [await nextDueMs(databases.read, lookedMs), await nextReviewMs(databases.read, lookedMs)]
      const next = Math.min(job ?? Number.POSITIVE_INFINITY, review ?? Number.POSITIVE_INFINITY)
      sleep(next - nowMs(clock))
    } catch (error) {
      log.error({ err: error }, 'the simulator waits for the database')
      sleep(troubleMs)
    }
  }

  const run = () => {
    running ??= nextTurn()
      .then(work)
      .finally(() => {
        running = undefined
        if (isAgain && !isStopping) run()
      })
    return running
  }

  const kick = () => {
    isAgain = true
    if (isStarted && !isStopping) void run()
  }

  return {
    /** After a commit that may have made something due. */
    kick,
    start() {
      isStarted = true
      kick()
    },
    /** Finishes the webhooks under way; what waits stays in its rows. */
    async stop(): Promise<void> {
      isStopping = true
      clearTimeout(timer)
      while (running || poster.isBusy()) {
        await running
        await poster.finish()
      }
    },
    /** Resolves when everything that is due has been done. For tests. */
    async idle(): Promise<void> {
      do {
        isAgain = true
        await run()
        await poster.finish()
      } while (running || isAgain || poster.isBusy())
    },
  }
}

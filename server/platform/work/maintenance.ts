import { Type } from 'typebox'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn } from '#server/platform/time/clock.ts'

/** Deletes expired data of a feature, or queues work that is due, a little at a time. */
export interface Chore {
  readonly name: string
  /** Returns how many rows were deleted. */
  run(now: Date): Promise<number>
}

interface MaintenanceParts {
  readonly chores: readonly Chore[]
  readonly databases: Databases
  readonly jobs: Jobs
  readonly clock: Clock
  readonly log: Log
}

const everyMs = 60 * 60 * 1000
const firstAfterMs = 60 * 1000
/** The organization id of chores: they belong to the installation. */
const installation = ''

/**
 * Runs each chore an hour after its last run, one after another, in one process however many there are. A failure is
 * logged, and the others continue.
 */
export function createMaintenance({ chores, databases, jobs, clock, log }: MaintenanceParts) {
  const queue = jobs.register({
    name: 'maintenance',
    looksWithinMs: everyMs,
    payload: Type.Object({ chore: Type.String() }),
    atOnce: 1,
    isKept: false,
    async run({ payload }) {
      const chore = chores.find(one => one.name === payload.chore)
      // A chore of another version, which is no longer needed.
      if (!chore) return undefined
      try {
        const gone = await chore.run(clock.now())
        if (gone) log.info({ chore: chore.name, gone }, 'old rows deleted')
      } catch (error) {
        log.error({ err: error, chore: chore.name }, 'a chore failed')
      }
      return { kind: 'again', afterMs: everyMs }
    },
    lost: () => ({ kind: 'again', afterMs: firstAfterMs }),
  })

  return {
    /** Uses the row that waits already, or a new one. */
    async start(): Promise<void> {
      const dueAt = isoIn(clock, firstAfterMs)
      const rows = chores.map(({ name }) => ({ payload: { chore: name }, uniqueKey: name, dueAt }))
      try {
        await inTransaction(databases, trx => queue.add(trx, installation, rows))
      } catch (error) {
        log.error({ err: error }, 'scheduling chores failed; the next start tries again')
      }
    },
  }
}

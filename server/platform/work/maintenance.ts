import { Type } from 'typebox'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn } from '#server/platform/time/clock.ts'

/** A part of the house that grows and knows how to shrink: deletes what is past its time, a little at a time. */
export interface Chore {
  readonly name: string
  /** Answers how many rows went. */
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
/** The chores are the installation's own. */
const installation = ''

/**
 * Runs each chore an hour after its last run, one after another, in one process however many there are; a failing one
 * is logged and the others go on.
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
      // Of another version; nobody needs it any more.
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
    /** In the row that waits already, or in a new one. */
    async start(): Promise<void> {
      const dueAt = isoIn(clock, firstAfterMs)
      const rows = chores.map(({ name }) => ({ payload: { chore: name }, uniqueKey: name, dueAt }))
      try {
        await inTransaction(databases, trx => queue.add(trx, installation, rows))
      } catch (error) {
        log.error({ err: error }, 'the chores of this installation wait for the next start')
      }
    },
  }
}

import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/** A part of the house that grows and knows how to shrink: deletes what is past its time, a little at a time. */
export interface Chore {
  readonly name: string
  /** Answers how many rows went. */
  run(now: Date): Promise<number>
}

const everyMs = 60 * 60 * 1000
const firstAfterMs = 60 * 1000

/** Runs the chores an hour apart, one after another; a failing one is logged and the others go on. */
export function createMaintenance({ chores, clock, log }: { chores: readonly Chore[]; clock: Clock; log: Log }) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  const runAll = async () => {
    for (const chore of chores)
      try {
        const gone = await chore.run(clock.now())
        if (gone) log.info({ chore: chore.name, gone }, 'old rows deleted')
      } catch (error) {
        log.error({ err: error, chore: chore.name }, 'a chore failed')
      }
  }
  const next = (ms: number) => {
    timer = setTimeout(() => {
      running = runAll().finally(() => next(everyMs))
    }, ms)
    timer.unref()
  }
  return {
    start: () => next(firstAfterMs),
    async stop() {
      clearTimeout(timer)
      await running
      clearTimeout(timer)
    },
    runAll,
  }
}

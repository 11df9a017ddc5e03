import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { reasonOf } from '#server/platform/http/reason.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { passingEventTypes } from '#shared/live/log.ts'
import { deletePassingBefore } from './store.ts'

/** For tabs that come back soon, and while a lost publish is made good. */
const fiveMinutesMs = 5 * 60_000
const rowsAtOnce = 500
const types: ReadonlySet<string> = new Set(passingEventTypes)

interface PassingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  /** Tests shorten it. */
  readonly keptMs?: number
}

/**
 * Who is in a chat or writes in it: events that open tabs alone are told of. They have a row, and with it a number, because
 * `Last-Event-ID` and other processes count on both; the row goes minutes later, by a timer of the process that wrote it.
 * What such a process leaves when it dies the hourly chore deletes.
 */
export function createPassing({ databases, clock, log, keptMs = fiveMinutesMs }: PassingParts) {
  let timer: NodeJS.Timeout | undefined

  const prune = (now: Date): Promise<number> => {
    const before = new Date(now.getTime() - keptMs).toISOString()
    return inBatches(rowsAtOnce, limit => inTransaction(databases, trx => deletePassingBefore(trx, before, limit)))
  }
  const run = async () => {
    timer = undefined
    try {
      await prune(clock.now())
    } catch (error) {
      log.warn(
        { reason: reasonOf(error) },
        'events that have passed could not be deleted; the hourly chore deletes them',
      )
    }
  }

  return {
    prune,
    /** These were committed: those of them that pass go when their time is over. */
    expect(events: readonly { readonly type: string }[]) {
      if (timer || !events.some(({ type }) => types.has(type))) return
      timer = setTimeout(run, keptMs + 1_000).unref()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

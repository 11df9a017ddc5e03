import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { errorReason } from '#server/platform/http/reason.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { passingEventTypes } from '#shared/live/log.ts'
import { deletePassingBefore } from './store.ts'

/** Long enough for tabs that reconnect, and for publishes that were lost. */
const fiveMinutesMs = 5 * 60_000
const rowsAtOnce = 500
const types: ReadonlySet<string> = new Set(passingEventTypes)

interface ShortLivedParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  /** For tests. */
  readonly keptMs?: number
}

/**
 * Deletes short-lived events, such as presence and typing, some minutes after they were stored. They are rows with a
 * number because `Last-Event-ID` and other processes rely on both. What a dead process leaves is deleted by the hourly
 * chore.
 */
export function createShortLived({ databases, clock, log, keptMs = fiveMinutesMs }: ShortLivedParts) {
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
        { reason: errorReason(error) },
        'events that have passed could not be deleted; the hourly chore deletes them',
      )
    }
  }

  return {
    prune,
    /** Schedules the deletion of short-lived events among these. */
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

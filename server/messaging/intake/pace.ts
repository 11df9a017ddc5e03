import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '#server/platform/time/clock.ts'

/**
 * Limits how much of the event loop applying webhooks takes. A slice is about ten milliseconds of work on SQLite, forty
 * on PostgreSQL. Between slices the loop pauses in proportion to the incoming webhooks, so that answers to Meta never
 * wait. At 1,000 webhooks a second it takes at most half of the time, at 10,000 a tenth.
 */
export interface Pace {
  /** Resolves when applying may begin after an idle time. */
  resume(): Promise<void>
  /** Call for each webhook. */
  arrived(): void
  /** The number of rows to apply next. */
  rows(): number
  /** The number of items of a webhook to apply next, in one transaction. */
  items(): number
  begin(): void
  /**
   * The disk took `ms` for the commit. That time does not make slices smaller, because smaller ones need more commits.
   */
  committed(ms: number): void
  /** Yields after a slice. Full and quick slices make the next one larger. */
  rest(slice: { rows: number } | { items: number }): Promise<void>
}

interface Limits {
  readonly workMs: number
  readonly minRows: number
  readonly maxRows: number
  readonly minItems: number
  readonly maxItems: number
  /** With more webhooks waiting for a commit, applying pauses so that they are stored first. */
  readonly overloadPending: number
}

/** SQLite: a slice blocks this process. */
const sqlite: Limits = {
  workMs: 10,
  minRows: 16,
  maxRows: 256,
  minItems: 8,
  maxItems: 128,
  overloadPending: Number.POSITIVE_INFINITY,
}
/**
 * PostgreSQL: a slice blocks other writers, and most of its time is round trips, which take as long for few rows as for
 * many.
 */
const postgres: Limits = {
  workMs: 40,
  minRows: 64,
  maxRows: 256,
  minItems: 64,
  maxItems: 128,
  overloadPending: 32,
}

const longestRestMs = 100
/** Under continuous load, a slice is applied at least this often. */
const maxOverloadPauseMs = 500
const overloadStepMs = 20
/** Above this rate, slices wait until they are larger, because each costs a commit. */
const gatherFromPerSecond = 100
const gatherMs = 10

interface PaceParts {
  /** The database is another process. */
  readonly isOtherProcess: boolean
  /** The most webhooks that waited for a commit at the same time since the last call. Starts a new count. */
  takePeakPendingWebhooks(): number
}

export function createPace({ isOtherProcess, takePeakPendingWebhooks }: PaceParts): Pace {
  const { workMs, minRows, maxRows, minItems, maxItems, overloadPending } = isOtherProcess ? postgres : sqlite
  let rows = Math.max(32, minRows)
  let items = Math.max(32, minItems)
  let begun = monotonicMs()
  let commitMs = 0
  let arrivals = 0
  let countedFrom = monotonicMs()

  const restFor = (took: number, perSecond: number): number => {
    const share = Math.min(longestRestMs, took * Math.min(10, perSecond / 1000))
    return perSecond > gatherFromPerSecond ? Math.max(gatherMs, share) : share
  }

  const untilFloodEnds = async () => {
    const until = monotonicMs() + maxOverloadPauseMs
    while (takePeakPendingWebhooks() >= overloadPending && monotonicMs() < until) await pause(overloadStepMs)
  }

  const next = (size: number, done: number, worked: number, fewest: number, most: number): number => {
    if (worked > workMs) return Math.max(fewest, size >> 1)
    return done >= size && worked < workMs / 2 ? Math.min(most, size * 2) : size
  }

  return {
    resume: untilFloodEnds,
    arrived() {
      arrivals += 1
    },
    rows: () => rows,
    items: () => items,
    begin() {
      begun = monotonicMs()
      commitMs = 0
    },
    committed(ms) {
      commitMs += ms
    },
    async rest(slice) {
      const now = monotonicMs()
      const took = now - begun
      const worked = took - commitMs
      if ('rows' in slice) rows = next(rows, slice.rows, worked, minRows, maxRows)
      else items = next(items, slice.items, worked, minItems, maxItems)
      const perSecond = (arrivals * 1000) / Math.max(1, now - countedFrom)
      arrivals = 0
      countedFrom = now
      const restMs = restFor(took, perSecond)
      if (restMs >= 1) await pause(restMs)
      else await nextTurn()
      await untilFloodEnds()
      begun = monotonicMs()
      commitMs = 0
    },
  }
}

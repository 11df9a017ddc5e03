import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '#server/platform/time/clock.ts'

/**
 * How much of a turn the deriving loop takes. A slice is as long as about ten milliseconds of work in this process, or
 * forty of an engine beside it; between slices it rests in proportion to what pours in, so that a webhook's answer never
 * waits for the inbox. At a thousand a second the loop takes at most half of the time, at ten thousand a tenth; with little
 * coming it only lets others through.
 */
export interface Pace {
  /** Work may begin after there was none. */
  resume(): Promise<void>
  /** A webhook came. */
  arrived(): void
  /** Rows to take next. */
  rows(): number
  /** Items of a webhook to apply next, in one transaction. */
  items(): number
  begin(): void
  /** So long the disk took for a commit: no reason for a smaller slice, which would only need more commits. */
  committed(ms: number): void
  /** Lets others run after a slice of so many rows, or of so many items; full and quick ones make the next larger. */
  rest(slice: { rows: number } | { items: number }): Promise<void>
}

interface Limits {
  readonly workMs: number
  readonly fewestRows: number
  readonly mostRows: number
  readonly fewestItems: number
  readonly mostItems: number
  /** Where so many wait for their commit at once, what pours in is more than can be answered: it is journaled first. */
  readonly flood: number
}

/** An engine in this process: a slice holds everybody. */
const here: Limits = {
  workMs: 10,
  fewestRows: 16,
  mostRows: 256,
  fewestItems: 8,
  mostItems: 128,
  flood: Number.POSITIVE_INFINITY,
}
/**
 * An engine beside it: a slice holds who else writes, and most of it is its statements' way there and back, which takes as
 * long for few rows as for many.
 */
const beside: Limits = {
  workMs: 40,
  fewestRows: 64,
  mostRows: 256,
  fewestItems: 64,
  mostItems: 128,
  flood: 32,
}

const longestRestMs = 100
/** However long a flood lasts, a slice of it is derived so often. */
const longestFloodMs = 500
const floodStepMs = 20
/** From this many a second on, slices wait for company: each costs a commit, whatever is in it. */
const crowdPerSecond = 100
const gatherMs = 10

interface PaceParts {
  /** What is worked at is another process's. */
  readonly isBeside: boolean
  /** How many webhooks waited for their commit at once, at most, since this was last asked. */
  crowd(): number
}

export function createPace({ isBeside, crowd }: PaceParts): Pace {
  const { workMs, fewestRows, mostRows, fewestItems, mostItems, flood } = isBeside ? beside : here
  let rows = Math.max(32, fewestRows)
  let items = Math.max(32, fewestItems)
  let begun = monotonicMs()
  let commitMs = 0
  let arrivals = 0
  let countedFrom = monotonicMs()

  const restFor = (took: number, perSecond: number): number => {
    const share = Math.min(longestRestMs, took * Math.min(10, perSecond / 1000))
    return perSecond > crowdPerSecond ? Math.max(gatherMs, share) : share
  }

  const untilFloodEnds = async () => {
    const until = monotonicMs() + longestFloodMs
    while (crowd() >= flood && monotonicMs() < until) await pause(floodStepMs)
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
      if ('rows' in slice) rows = next(rows, slice.rows, worked, fewestRows, mostRows)
      else items = next(items, slice.items, worked, fewestItems, mostItems)
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

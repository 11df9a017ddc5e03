import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../clock.ts'

/**
 * How much of a turn the deriving loop takes. A slice is as long as about ten milliseconds of work; between slices it
 * rests in proportion to what pours in, so that a webhook's answer never waits for the inbox. At a thousand a second
 * the loop takes at most half of the time, at ten thousand a tenth; with little coming it only lets others through.
 */
export interface Pace {
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

const workMs = 10
const longestRestMs = 100
/** From this many a second on, slices wait for company: each costs a commit, whatever is in it. */
const crowdPerSecond = 100
const gatherMs = 10
const fewestRows = 16
const mostRows = 256
const fewestItems = 8
const mostItems = 128

export function createPace(): Pace {
  let rows = 32
  let items = 32
  let begun = monotonicMs()
  let commitMs = 0
  let arrivals = 0
  let countedFrom = monotonicMs()

  const restFor = (took: number, perSecond: number): number => {
    const share = Math.min(longestRestMs, took * Math.min(10, perSecond / 1000))
    return perSecond > crowdPerSecond ? Math.max(gatherMs, share) : share
  }

  const next = (size: number, done: number, worked: number, fewest: number, most: number): number => {
    if (worked > workMs) return Math.max(fewest, size >> 1)
    return done >= size && worked < workMs / 2 ? Math.min(most, size * 2) : size
  }

  return {
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
      begun = monotonicMs()
      commitMs = 0
    },
  }
}

import type { Clock } from '#server/platform/time/clock.ts'
import { defaultTimeZone, timeOfWall, wallTime } from '#shared/kernel/time.ts'

const dayMs = 86_400_000

/** A time of day, some days after another time, by the bakery's clock. @param time `10:00` */
export const morningIn = (fromMs: number, days: number, time: string): string =>
  timeOfWall(`${wallTime(fromMs + days * dayMs, defaultTimeZone).slice(0, 10)}T${time}`, defaultTimeZone) ?? ''

/** The day of the story's holiday, the first Monday after the day of a time: `2026-12-07`. */
export const holidayAfter = (timeMs: number): string => {
  const today = new Date(`${wallTime(timeMs, defaultTimeZone).slice(0, 10)}T00:00:00Z`)
  const days = (8 - today.getUTCDay()) % 7 || 7
  return new Date(today.getTime() + days * dayMs).toISOString().slice(0, 10)
}

/** Runs as fast as the real clock, but behind it while the demo's past is told, so that all rows get times of the past. */
export interface StoryClock extends Clock {
  /** Only forward: jobs and leases do not expect a clock that goes back. */
  moveTo(timeMs: number): void
  /** Makes the clock show the real time. */
  catchUp(): void
}

/** @param real set by hand in tests */
export const createStoryClock = (real: Clock, startMs: number): StoryClock => {
  const realMs = () => real.now().getTime()
  let behindMs = realMs() - startMs
  return {
    now: () => new Date(realMs() - behindMs),
    moveTo(timeMs) {
      behindMs = Math.min(behindMs, realMs() - timeMs)
    },
    catchUp() {
      behindMs = 0
    },
  }
}

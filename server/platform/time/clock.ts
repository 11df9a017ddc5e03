/** The system clock in production, set by hand in tests. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** ISO 8601 UTC, the format of times in the database and in calls. */
export const isoNow = (clock: Clock): string => clock.now().toISOString()
export const isoIn = (clock: Clock, ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

/** Milliseconds of a clock that never jumps, to measure durations in this process. */
export const monotonicMs = (): number => performance.now()

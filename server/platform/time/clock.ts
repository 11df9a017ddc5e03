/** The time of day: the system clock in production, held by hand in tests. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** ISO 8601 UTC, the form in which the database and the wire keep times. */
export const isoNow = (clock: Clock): string => clock.now().toISOString()
export const isoIn = (clock: Clock, ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

/** Milliseconds that never jump, for how long work of this process took; they mean nothing to another process. */
export const monotonicMs = (): number => performance.now()

/** Time's door: the system clock in production, held by hand in tests. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** ISO 8601 UTC, the form in which the database and the wire keep times. */
export const isoNow = (clock: Clock): string => clock.now().toISOString()
export const isoIn = (clock: Clock, ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

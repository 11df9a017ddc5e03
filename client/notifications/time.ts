import { dayNumber } from '#shared/kernel/time.ts'

/** Calendar days between a time and now. 0 for the same day, and for times in the future. */
export const daysAgo = (iso: string, now: number, timeZone: string): number =>
  Math.max(0, dayNumber(new Date(now).toISOString(), timeZone) - dayNumber(iso, timeZone))

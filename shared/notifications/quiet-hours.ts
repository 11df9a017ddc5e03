import { clockTime } from '#shared/kernel/time.ts'

/** Daily hours in a time zone; `22:00` to `07:00` crosses midnight. */
interface QuietHours {
  /** `HH:MM`, 24 hours. */
  readonly from: string
  readonly to: string
  readonly timeZone: string
}

/** @param at ISO 8601 */
export const isQuietAt = (quiet: QuietHours | null, at: string): boolean => {
  if (!quiet) return false
  const time = clockTime(at, quiet.timeZone)
  const { from, to } = quiet
  return from <= to ? time >= from && time < to : time >= from || time < to
}

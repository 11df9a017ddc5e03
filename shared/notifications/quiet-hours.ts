import { clockTime } from '#shared/kernel/time.ts'

/** Every day from one time to another, on the clock of a zone; `22:00` to `07:00` goes over midnight. */
export interface QuietHours {
  /** `HH:MM`, 24 hours. */
  readonly from: string
  readonly to: string
  readonly timeZone: string
}

/** Whether nothing may ring now. @param at ISO 8601 */
export const isQuietAt = (quiet: QuietHours | null, at: string): boolean => {
  if (!quiet) return false
  const time = clockTime(at, quiet.timeZone)
  const { from, to } = quiet
  return from <= to ? time >= from && time < to : time >= from || time < to
}

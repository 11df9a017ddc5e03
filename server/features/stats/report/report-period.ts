import { dayNumber, timeOfWall } from '#shared/kernel/time.ts'
import { type ReportRhythm, reportHour } from '#shared/stats/report.ts'

const dayMs = 86_400_000

/** Whole days of the organization's clock. */
export interface ReportDays {
  /** `YYYY-MM-DD` */
  readonly from: string
  readonly to: string
}

const dayOf = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10)
const hourText = String(reportHour).padStart(2, '0')

/** The report is mailed at this time of its day. */
const mailTime = (day: string, timeZone: string): number => {
  const at = timeOfWall(`${day}T${hourText}:00`, timeZone)
  if (at === undefined) throw new Error(`Not a day: ${day}`)
  return Date.parse(at)
}

/** The first day of the week or month that a day lies in, moved by so many weeks or months. */
const firstDay = (rhythm: ReportRhythm, number: number, moved: number): string => {
  // 1 January 1970 was a Thursday.
  if (rhythm === 'weekly') return dayOf(number - ((number + 3) % 7) + 7 * moved)
  const day = new Date(number * dayMs)
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + moved, 1)).toISOString().slice(0, 10)
}

const dayBefore = (day: string): string => dayOf(Date.parse(day) / dayMs - 1)

/** The last whole week or month whose report is due at a time, and when the next one is due. */
export function reportPeriodAt(
  rhythm: ReportRhythm,
  now: number,
  timeZone: string,
): { readonly due: ReportDays; readonly nextAt: string } {
  const today = dayNumber(new Date(now).toISOString(), timeZone)
  const current = firstDay(rhythm, today, 0)
  const isMailed = now >= mailTime(current, timeZone)
  const first = isMailed ? current : firstDay(rhythm, today, -1)
  const next = isMailed ? firstDay(rhythm, today, 1) : current
  const start = firstDay(rhythm, Date.parse(first) / dayMs, -1)
  return { due: { from: start, to: dayBefore(first) }, nextAt: new Date(mailTime(next, timeZone)).toISOString() }
}

/** Names a period, so that it is mailed once. */
export const periodKey = (rhythm: ReportRhythm, { from }: ReportDays): string => `${rhythm} ${from}`

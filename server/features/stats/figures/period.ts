import { dayNumber, startOfDay } from '#shared/kernel/time.ts'
import { defaultDays, maxDays, type StatsFilter } from '#shared/stats/filter.ts'

const dayMs = 86_400_000

export const isoDay = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10)
const numberOf = (day: string): number => Math.floor(Date.parse(day) / dayMs)
export const dayAfter = (day: string, days = 1): string => isoDay(numberOf(day) + days)

/** Whole days in a time zone. `since` and `until`: when they begin and end, ISO 8601 UTC, `until` excluded. */
export interface Period {
  readonly from: string
  readonly to: string
  readonly days: number
  readonly since: string
  readonly until: string
}

const periodOf = (first: number, days: number, timeZone: string): Period => ({
  from: isoDay(first),
  to: isoDay(first + days - 1),
  days,
  since: startOfDay(isoDay(first), timeZone),
  until: startOfDay(isoDay(first + days), timeZone),
})

/** Why days are refused, and the field to blame. */
export type PeriodFault = { readonly field: 'from' | 'to'; readonly fault: 'noDay' | 'reversed' | 'tooLong' | 'future' }

/** The same number of days, right before the period. */
export const periodBefore = ({ from, days }: Period, timeZone: string): Period =>
  periodOf(numberOf(from) - days, days, timeZone)

const isDay = (day: string): boolean => {
  const at = Date.parse(day)
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === day
}

/** The days that a filter asks for, or why they are refused. */
export function readPeriod(
  { from, to, days: asked = defaultDays }: Pick<StatsFilter, 'from' | 'to' | 'days'>,
  now: number,
  timeZone: string,
): Period | PeriodFault {
  if (from !== undefined && !isDay(from)) return { field: 'from', fault: 'noDay' }
  if (to !== undefined && !isDay(to)) return { field: 'to', fault: 'noDay' }
  const today = dayNumber(new Date(now).toISOString(), timeZone)
  const first = from === undefined ? undefined : numberOf(from)
  const last = to === undefined ? today : numberOf(to)
  if (first !== undefined && first > today) return { field: 'from', fault: 'future' }
  const begin = first ?? last - asked + 1
  if (begin > last) return { field: 'to', fault: 'reversed' }
  const days = last - begin + 1
  return days > maxDays ? { field: 'to', fault: 'tooLong' } : periodOf(begin, days, timeZone)
}

import { wallTime } from '#shared/kernel/time.ts'
import { type BusinessHours, openTimesOn } from '#shared/orgs/business-hours.ts'
import { allTime, type Elapsed } from './segment-facts.ts'

const dayMs = 86_400_000
/** Business time is searched this far ahead, past closed weeks. */
const maxDaysAhead = 400

/** The open times of a day, cached. */
const openTimesOf = (hours: BusinessHours, timeZone: string) => {
  const known = new Map<string, readonly (readonly [number, number])[]>()
  return (day: number) => {
    const date = new Date(day).toISOString().slice(0, 10)
    let times = known.get(date)
    if (!times) {
      times = openTimesOn(hours, date, timeZone)
      known.set(date, times)
    }
    return times
  }
}

/** Hours that end after midnight belong to the day before, so counting starts one day before `at`. */
const dayBefore = (at: number, timeZone: string): number => Date.parse(wallTime(at, timeZone).slice(0, 10)) - dayMs

/** Measures ms of business hours between two times. Without business hours all time counts. Days are cached. */
export function businessTime(hours: BusinessHours | null, timeZone: string): Elapsed {
  if (!hours) return allTime
  const openTimes = openTimesOf(hours, timeZone)
  return (from, to) => {
    if (to <= from) return 0
    const last = Date.parse(wallTime(to, timeZone).slice(0, 10))
    let sum = 0
    let counted = from
    for (let day = dayBefore(from, timeZone); day <= last; day += dayMs)
      for (const [open, close] of openTimes(day)) {
        const begin = Math.max(open, counted)
        const end = Math.min(close, to)
        if (end <= begin) continue
        sum += end - begin
        counted = end
      }
    return sum
  }
}

/**
 * Returns the time at which more than `ms` of business hours will have passed since `from`. Undefined: not within 400
 * days. An amount that ends exactly at closing time ends at the next opening.
 */
export function businessTimeAfter(
  hours: BusinessHours | null,
  timeZone: string,
): (from: number, ms: number) => number | undefined {
  if (!hours) return (from, ms) => from + ms
  const openTimes = openTimesOf(hours, timeZone)
  return (from, ms) => {
    let left = ms
    let counted = from
    const first = dayBefore(from, timeZone)
    for (let day = first; day <= first + maxDaysAhead * dayMs; day += dayMs)
      for (const [open, close] of openTimes(day)) {
        const begin = Math.max(open, counted)
        if (close <= begin) continue
        if (left < close - begin) return begin + left
        left -= close - begin
        counted = close
      }
    return undefined
  }
}

import { wallTime } from '#shared/kernel/time.ts'
import { type BusinessHours, openTimesOn } from '#shared/orgs/business-hours.ts'
import { allTime, type Elapsed } from './segment-facts.ts'

const dayMs = 86_400_000

/** Measures ms of business hours between two times. Without business hours all time counts. Days are cached. */
export function businessTime(hours: BusinessHours | null, timeZone: string): Elapsed {
  if (!hours) return allTime
  const known = new Map<string, readonly (readonly [number, number])[]>()
  const openTimes = (date: string) => {
    let times = known.get(date)
    if (!times) {
      times = openTimesOn(hours, date, timeZone)
      known.set(date, times)
    }
    return times
  }
  return (from, to) => {
    if (to <= from) return 0
    // Hours that end after midnight belong to the day before, so the count starts one day earlier.
    const first = Date.parse(wallTime(from, timeZone).slice(0, 10)) - dayMs
    const last = Date.parse(wallTime(to, timeZone).slice(0, 10))
    let sum = 0
    let counted = from
    for (let day = first; day <= last; day += dayMs)
      for (const [open, close] of openTimes(new Date(day).toISOString().slice(0, 10))) {
        const begin = Math.max(open, counted)
        const end = Math.min(close, to)
        if (end <= begin) continue
        sum += end - begin
        counted = end
      }
    return sum
  }
}

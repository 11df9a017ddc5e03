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

/**
 * Measures ms of business hours since some fixed time. Sums of whole UTC days are cached, because a page measures a hundred
 * thousand durations.
 */
const openTimeUntil = (hours: BusinessHours, timeZone: string): ((at: number) => number) => {
  const openTimes = openTimesOf(hours, timeZone)
  const known = new Map<number, readonly (readonly [number, number])[]>()
  /** The open times within a UTC day. Those of four local days may fall into it: they may end after midnight. */
  const openOn = (day: number) => {
    let spans = known.get(day)
    if (!spans) {
      let counted = day * dayMs
      const end = counted + dayMs
      spans = [day - 2, day - 1, day, day + 1]
        .flatMap(local => openTimes(local * dayMs))
        .flatMap(([open, close]) => {
          const [begin, until] = [Math.max(open, counted), Math.min(close, end)]
          if (until <= begin) return []
          counted = until
          return [[begin, until] as const]
        })
      known.set(day, spans)
    }
    return spans
  }
  const openUntil = (day: number, at: number): number => {
    let sum = 0
    for (const [open, close] of openOn(day)) if (at > open) sum += Math.min(close, at) - open
    return sum
  }
  const sums = new Map<number, number>()
  let [first, last] = [0, -1]
  const sumBefore = (day: number): number => {
    if (last < first) {
      first = day
      last = day
      sums.set(day, 0)
    }
    for (; last < day; last += 1)
      sums.set(last + 1, (sums.get(last) as number) + openUntil(last, Number.POSITIVE_INFINITY))
    for (; first > day; first -= 1)
      sums.set(first - 1, (sums.get(first) as number) - openUntil(first - 1, Number.POSITIVE_INFINITY))
    return sums.get(day) as number
  }
  return at => {
    const day = Math.floor(at / dayMs)
    return sumBefore(day) + openUntil(day, at)
  }
}

/** Measures ms of business hours between two times. Without business hours all time counts. */
export function businessTime(hours: BusinessHours | null, timeZone: string): Elapsed {
  if (!hours) return allTime
  const openUntil = openTimeUntil(hours, timeZone)
  return (from, to) => (to <= from ? 0 : openUntil(to) - openUntil(from))
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

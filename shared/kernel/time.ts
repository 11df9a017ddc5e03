import type { Language } from './language.ts'

/** The zone of the first users. A browser sends its own zone in the cookie `tz`. */
export const defaultTimeZone = 'America/Argentina/Buenos_Aires'

const localeOf: Record<Language, string> = { es: 'es-AR', en: 'en-GB' }
const hourMs = 3_600_000
const dayMs = 24 * hourMs

const formatters = new Map<string, Intl.DateTimeFormat>()
const formatter = (
  language: Language,
  timeZone: string,
  name: string,
  options: Intl.DateTimeFormatOptions,
  locale = localeOf[language],
) => {
  const key = `${language}|${timeZone}|${name}`
  let found = formatters.get(key)
  if (!found) {
    found = new Intl.DateTimeFormat(locale, { timeZone, ...options })
    formatters.set(key, found)
  }
  return found
}

/** False for a zone that this runtime does not know. */
export const isTimeZone = (name: string): boolean => {
  try {
    return name.length <= 64 && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** The zone that `Date` uses, if known. */
let dateZone: string | undefined

/**
 * Sets the zone that `Date` uses. Its offsets then need no formatter, whose creation takes a phone a tenth of a second.
 * For browsers; undefined: unknown.
 */
export const setDateZone = (timeZone: string | undefined): void => {
  dateZone = timeZone
}

/** The offsets by zone, then by quarter of an hour. */
const offsets = new Map<string, Map<number, number>>()
const maxOffsets = 5_000

const offsetsOf = (timeZone: string): Map<number, number> => {
  const known = offsets.get(timeZone)
  if (known && known.size < maxOffsets) return known
  const made = new Map<number, number>()
  offsets.set(timeZone, made)
  return made
}

/**
 * Milliseconds that a zone is ahead of UTC. Cached by quarter of an hour, because no zone changes faster: formatting a
 * page's eighty times through Intl would cost more than rendering them.
 */
const offsetMs = (at: number, timeZone: string): number => {
  const quarter = Math.floor(at / 900_000)
  if (timeZone === dateZone) return new Date(quarter * 900_000).getTimezoneOffset() * -60_000
  const found = offsetsOf(timeZone)
  const known = found.get(quarter)
  if (known !== undefined) return known
  const parts = formatter('en', timeZone, 'offset', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(quarter * 900_000)
  const part = (type: string) => Number(parts.find(p => p.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
  const offset = local - quarter * 900_000
  found.set(quarter, offset)
  return offset
}

/** A zone changes its clocks at most once in this time, and by less. */
const aroundChangeMs = 1.5 * dayMs

/**
 * The time at which clocks in a zone show `shown` (as if it were UTC). For an hour that clocks skip, the time as far
 * after the change; for one that they repeat, the first.
 */
const timeShown = (shown: number, timeZone: string): number => {
  const before = offsetMs(shown - aroundChangeMs, timeZone)
  const after = offsetMs(shown + aroundChangeMs, timeZone)
  const isShown = (offset: number) => offsetMs(shown - offset, timeZone) === offset
  return shown - (isShown(before) || !isShown(after) ? before : after)
}

/** Number of the calendar day in a zone: times of one day have the same. */
export const dayNumber = (iso: string, timeZone: string): number => {
  const at = Date.parse(iso)
  return Math.floor((at + offsetMs(at, timeZone)) / dayMs)
}

/** The start of a time's day in a zone, as ISO 8601 UTC. */
export const dayStart = (at: number, timeZone: string): string => {
  const midnight = Math.floor((at + offsetMs(at, timeZone)) / dayMs) * dayMs
  return new Date(timeShown(midnight, timeZone)).toISOString()
}

/** The start of a calendar day (`2026-11-20`) in a zone, as ISO 8601 UTC; `later`: that many days after it. */
export const startOfDay = (day: string, timeZone: string, later = 0): string =>
  new Date(timeShown(Date.parse(day) + later * dayMs, timeZone)).toISOString()

const two = (n: number) => (n < 10 ? `0${n}` : String(n))

/** `14:05`, 24 hours, in a zone. */
export const clockTime = (iso: string, timeZone: string): string => {
  const at = Date.parse(iso)
  const minutes = Math.floor((at + offsetMs(at, timeZone)) / 60_000)
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`
}

/**
 * Returns a function for the local time of a zone, in ms as if it were UTC; made for many times. It looks up the offset
 * of a UTC day once if no clock changes on it.
 */
export function createWallClock(timeZone: string): (at: number) => number {
  const offsetsOfDays = new Map<number, number | null>()
  return at => {
    const day = Math.floor(at / dayMs)
    let offset = offsetsOfDays.get(day)
    if (offset === undefined) {
      const first = offsetMs(day * dayMs, timeZone)
      offset = first === offsetMs((day + 1) * dayMs, timeZone) ? first : null
      offsetsOfDays.set(day, offset)
    }
    return at + (offset ?? offsetMs(at, timeZone))
  }
}

/** `2026-11-23T09:30`: local time in a zone, in the format of date and time inputs. */
export const wallTime = (at: number, timeZone: string): string =>
  new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 16)

/** The reverse of `wallTime`, as ISO 8601 UTC; undefined: not a time. @see timeShown */
export const timeOfWall = (wall: string, timeZone: string): string | undefined => {
  const shown = Date.parse(`${wall}Z`)
  return Number.isNaN(shown) ? undefined : new Date(timeShown(shown, timeZone)).toISOString()
}

type DayWord = 'today' | 'yesterday' | null

/** The word for a day this many days ago. */
export const dayWordOf = (days: number): DayWord => {
  if (days === 0) return 'today'
  return days === 1 ? 'yesterday' : null
}

export const dayWord = (iso: string, now: number, timeZone: string): DayWord =>
  dayWordOf(dayNumber(new Date(now).toISOString(), timeZone) - dayNumber(iso, timeZone))

const weekdays = (language: Language, timeZone: string) =>
  formatter(language, timeZone, 'weekday', { weekday: 'short' })

/** "lun", "Mon": the names of the days in a row of seven, from Monday on. */
export const shortWeekdays = (language: Language): string[] =>
  Array.from({ length: 7 }, (_, day) => weekdays(language, 'UTC').format(Date.UTC(2026, 0, 5 + day)))

/** Creates the formatters for date words: a browser's first takes ten milliseconds, later ones almost nothing. */
export const prepareDateWords = (language: Language, timeZone: string): void => {
  weekdays(language, timeZone)
}

/**
 * The time in a row of a list: the time today, the weekday within a week, otherwise the date. Null: yesterday, for
 * which the caller has a word.
 */
export const rowTime = (iso: string, now: number, language: Language, timeZone: string): string | null => {
  const days = dayNumber(new Date(now).toISOString(), timeZone) - dayNumber(iso, timeZone)
  if (days <= 0) return clockTime(iso, timeZone)
  if (days === 1) return null
  const at = Date.parse(iso)
  if (days < 7) return weekdays(language, timeZone).format(at)
  return formatter(language, timeZone, 'date', { day: 'numeric', month: 'numeric', year: '2-digit' }).format(at)
}

const dayTitles = new Map<string, string>()
const maxDayTitles = 2_000

/** The title of a divider: `viernes 20 de noviembre`, with the year if it is another. */
export const dayTitle = (iso: string, now: number, language: Language, timeZone: string): string => {
  const at = Date.parse(iso)
  const sameYear = new Date(now).getUTCFullYear() === new Date(at).getUTCFullYear()
  const key = `${language}|${timeZone}|${sameYear}|${dayNumber(iso, timeZone)}`
  const known = dayTitles.get(key)
  if (known !== undefined) return known
  const title = formatter(language, timeZone, sameYear ? 'day' : 'dayYear', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(sameYear ? {} : { year: 'numeric' }),
  })
    .format(at)
    .replace(/^(\p{L}+), /u, '$1 ')
  if (dayTitles.size >= maxDayTitles) dayTitles.clear()
  dayTitles.set(key, title)
  return title
}

/** `20 de noviembre de 2026`. */
export const longDate = (iso: string, language: Language, timeZone: string): string =>
  formatter(language, timeZone, 'longDate', { dateStyle: 'long' }).format(Date.parse(iso))

/** `2 oct 2026`; in Spanish in Spain's format, which is shorter. */
export const shortDate = (iso: string, language: Language, timeZone: string): string =>
  formatter(
    language,
    timeZone,
    'shortDate',
    { day: 'numeric', month: 'short', year: 'numeric' },
    language === 'es' ? 'es-ES' : 'en-GB',
  ).format(Date.parse(iso))

/** `2 oct 2026, 14:05`, for a row in a list. */
export const shortTime = (iso: string, language: Language, timeZone: string): string =>
  `${shortDate(iso, language, timeZone)}, ${clockTime(iso, timeZone)}`

/** `20 de noviembre de 2026, 14:05`. */
export const fullTime = (iso: string, language: Language, timeZone: string): string =>
  `${longDate(iso, language, timeZone)}, ${clockTime(iso, timeZone)}`

/** `2 oct 2026, 14:05:09`, where order matters. */
export const exactTime = (iso: string, language: Language, timeZone: string): string =>
  `${shortTime(iso, language, timeZone)}:${two(new Date(iso).getUTCSeconds())}`

/** `viernes`. */
export const weekdayOf = (iso: string, language: Language, timeZone: string): string =>
  formatter(language, timeZone, 'weekdayAlone', { weekday: 'long' }).format(Date.parse(iso))

/** `noviembre de 2026`. */
export const monthOf = (iso: string, language: Language, timeZone: string): string =>
  formatter(language, timeZone, 'monthOfYear', { month: 'long', year: 'numeric' }).format(Date.parse(iso))

/** Joins figures and units of a duration with no-break spaces, so that it stays on one line. */
export const inOneLine = (duration: string): string => duration.replaceAll(' ', '\u00a0')

/** `1 h 12`, `12 min`, `< 1 min`; empty if it has passed. */
export const timeLeft = (ms: number): string => {
  if (ms <= 0) return ''
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return inOneLine('< 1 min')
  const hours = Math.floor(minutes / 60)
  return inOneLine(hours ? `${hours} h ${two(minutes % 60)}` : `${minutes} min`)
}

/** `8 s`, `2:05 min`, `1 h 12`: for a wait that somebody watches; in whole seconds, rounded up. */
export const countdown = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return inOneLine(`${Math.max(0, seconds)} s`)
  return seconds < 3600 ? inOneLine(`${Math.floor(seconds / 60)}:${two(seconds % 60)} min`) : timeLeft(ms)
}

const minuteMs = 60_000

/**
 * Returns the beginning of the minute. What shows whole minutes counts from it, so that two places that are drawn at
 * different seconds say the same.
 */
export const startOfMinute = (at: number): number => at - (at % minuteMs)

import { wallTime } from '#shared/kernel/time.ts'

const minuteMs = 60_000
const dayMs = 1440 * minuteMs
/** The time of a day that was chosen without one. */
export const morning = '09:00'

/** The weekdays from Sunday, as `getUTCDay` counts. */
const weekdays = [
  ['domingo', 'dom', 'sunday', 'sun'],
  ['lunes', 'lun', 'monday', 'mon'],
  ['martes', 'mar', 'tuesday', 'tue', 'tues'],
  ['miercoles', 'mie', 'wednesday', 'wed'],
  ['jueves', 'jue', 'thursday', 'thu', 'thurs'],
  ['viernes', 'vie', 'friday', 'fri'],
  ['sabado', 'sab', 'saturday', 'sat'],
]
/** Three letters tell the months of both languages apart. */
const months = ['ene jan', 'feb', 'mar', 'abr apr', 'may', 'jun', 'jul', 'ago aug', 'sep', 'oct', 'nov', 'dic dec']
const dayWords: Readonly<Record<string, number>> = {
  ayer: -1,
  yesterday: -1,
  hoy: 0,
  today: 0,
  manana: 1,
  tomorrow: 1,
  pasado: 2,
  'pasado manana': 2,
}
const units: Readonly<Record<string, number>> = Object.fromEntries(
  [
    [minuteMs, 'm min mins minuto minutos minute minutes'],
    [60 * minuteMs, 'h hs hora horas hour hours'],
    [dayMs, 'd dia dias day days'],
    [7 * dayMs, 'semana semanas week weeks'],
  ].flatMap(([ms, names]) =>
    String(names)
      .split(' ')
      .map(name => [name, Number(ms)]),
  ),
)
const ones = new Set(['un', 'una', 'a', 'an', 'one'])

const plain = (typed: string): string =>
  typed
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[,\s]+/g, ' ')
    .trim()

const clockOf = (text: string): string | undefined => {
  const found = /^(?:a las? |at )?(\d{1,2})(?:[:.h]?(\d{2}))? ?(am|pm|hs?)?$/.exec(text)
  if (!found) return undefined
  const [, hours = '', minutes = '00', half] = found
  const isTwelve = half === 'am' || half === 'pm'
  const typed = Number(hours)
  if (isTwelve && (typed < 1 || typed > 12)) return undefined
  const hour = isTwelve ? (typed % 12) + (half === 'pm' ? 12 : 0) : typed
  return hour < 24 && Number(minutes) < 60 ? `${String(hour).padStart(2, '0')}:${minutes}` : undefined
}

/**
 * Reads a time of day: `9`, `930`, `9:30`, `9.30`, `9 h`, `9h30`, `5pm`, each perhaps after `a las` or `at`. Returns
 * `HH:MM`; undefined: it is none.
 */
export const readTypedClock = (typed: string): string | undefined => clockOf(plain(typed))

const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** `2026-11-30`; undefined: the calendar has no such day. */
const calendarDay = (year: number, month: number, day: number): string | undefined => {
  const at = new Date(Date.UTC(year, month - 1, day))
  const isThatDay = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isThatDay ? at.toISOString().slice(0, 10) : undefined
}

/** Two digits are a year of this century until twenty years from now, otherwise one of the last. */
const yearOf = (digits: string, thisYear: number): number => {
  if (digits.length === 4) return Number(digits)
  const year = thisYear - (thisYear % 100) + Number(digits)
  return year > thisYear + 20 ? year - 100 : year
}

const monthOf = (name: string): number => 1 + months.findIndex(names => names.split(' ').includes(name.slice(0, 3)))

/** @param isAhead whether a date without a year that has passed is next year's */
const dateOf = (text: string, today: string, isAhead = false): string | undefined => {
  const thisYear = Number(today.slice(0, 4))
  const dayOf = (day: string | undefined, month: number, year: string | undefined): string | undefined => {
    if (year !== undefined) return calendarDay(yearOf(year, thisYear), month, Number(day))
    const found = calendarDay(thisYear, month, Number(day))
    return isAhead && found !== undefined && found < today ? calendarDay(thisYear + 1, month, Number(day)) : found
  }
  const days = Object.hasOwn(dayWords, text) ? dayWords[text] : undefined
  if (days !== undefined) return daysAfter(today, days)
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  if (iso) return dayOf(iso[3], Number(iso[2]), iso[1])
  const numbers = /^(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d{2}))?$/.exec(text)
  if (numbers) return dayOf(numbers[1], Number(numbers[3]), numbers[4])
  const digits = /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(text)
  if (digits) return dayOf(digits[1], Number(digits[2]), digits[3])
  const named = /^(\d{1,2})[ -]?(?:de )?([a-z]{3,})\.?(?:[ -](?:del? )?(\d{4}))?$/.exec(text)
  if (named) return dayOf(named[1], monthOf(named[2] ?? ''), named[3])
  const monthFirst = /^([a-z]{3,})\.? (\d{1,2})(?: (\d{4}))?$/.exec(text)
  return monthFirst ? dayOf(monthFirst[2], monthOf(monthFirst[1] ?? ''), monthFirst[3]) : undefined
}

/**
 * Reads a date as people type it, in Spanish or English, with the day before the month: `3/12`, `3-12-26`, `3 dic`,
 * `3 de diciembre de 2026`, `Dec 3, 2026`, `2026-12-03`, `hoy`, `yesterday`. Without a year it is this year's.
 * @param today `2026-11-30`
 * @returns such a date; undefined: it is none
 */
export const readTypedDate = (typed: string, today: string): string | undefined => dateOf(plain(typed), today)

/**
 * Reads a time as people type it, in Spanish or English: `mañana 9`, `lunes 15:30`, `3/12 9:30`, `en 2 horas`,
 * `tomorrow 9am`, `Dec 3 at 5pm`. Returns it as `YYYY-MM-DDTHH:MM` of the time zone; undefined: it was not understood. A
 * day without a time is in the morning, or at `usual`. A time without a day is its next one. A weekday is after today,
 * and a date without a year is not before it.
 */
export function readTypedTime(
  typed: string,
  now: number,
  timeZone: string,
  usual: string = morning,
): string | undefined {
  const text = plain(typed)
  const wait = /^(?:en|dentro de|in) (\d{1,3}|[a-z]+) ?([a-z]+)$/.exec(text)
  if (wait) {
    const [, many = '', unit = ''] = wait
    const count = ones.has(many) ? 1 : Number(many)
    const ms = Object.hasOwn(units, unit) ? units[unit] : undefined
    return ms !== undefined && count > 0 ? wallTime(now + count * ms, timeZone) : undefined
  }
  const here = wallTime(now, timeZone)
  const today = here.slice(0, 10)
  const alone = clockOf(text)
  if (alone) return `${alone > here.slice(11) ? today : daysAfter(today, 1)}T${alone}`
  const words = text
    .replace(/^(?:el|este|on|next|this) /, '')
    .replace(/(\d)t(\d)/, '$1 $2')
    .split(' ')
  // Before the months: `mar 9` is a Tuesday.
  const weekday = weekdays.findIndex(names => names.includes(words[0] ?? ''))
  for (let count = weekday < 0 ? words.length : 1; count > 0; count -= 1) {
    const dated = words.slice(0, count).join(' ')
    const day =
      weekday < 0 ? dateOf(dated, today, true) : daysAfter(today, ((weekday - new Date(today).getUTCDay() + 6) % 7) + 1)
    const timed = words.slice(count).join(' ')
    // "Today" says nothing without a time.
    const clock = timed ? clockOf(timed) : dayWords[dated] === 0 ? undefined : usual
    if (day !== undefined && clock !== undefined) return `${day}T${clock}`
  }
  return undefined
}

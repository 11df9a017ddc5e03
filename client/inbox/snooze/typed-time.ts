import { wallTime } from '#shared/kernel/time.ts'

const minuteMs = 60_000
const dayMs = 1440 * minuteMs
const morning = '09:00'

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

/** `9`, `9:30`, `9.30`, `9 h`, `9 am`, `5pm`, each perhaps after `a las` or `at`. Undefined: it is none. */
const clockOf = (text: string): string | undefined => {
  const found = /^(?:a las? |at )?(\d{1,2})(?:[:.](\d{2}))? ?(am|pm|hs?)?$/.exec(text)
  if (!found) return undefined
  const [, hours = '', minutes = '00', half] = found
  const isTwelve = half === 'am' || half === 'pm'
  const typed = Number(hours)
  if (isTwelve && (typed < 1 || typed > 12)) return undefined
  const hour = isTwelve ? (typed % 12) + (half === 'pm' ? 12 : 0) : typed
  return hour < 24 && Number(minutes) < 60 ? `${String(hour).padStart(2, '0')}:${minutes}` : undefined
}

/**
 * Reads a time as people type it, in Spanish or English: `mañana 9`, `lunes 15:30`, `en 2 horas`, `tomorrow 9am`,
 * `in 3 days`. Returns it as `YYYY-MM-DDTHH:MM` of the time zone; undefined: it was not understood. A day without a time
 * is in the morning. A time without a day is its next one. A weekday is after today.
 */
export function readTypedTime(typed: string, now: number, timeZone: string): string | undefined {
  const text = typed
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[,\s]+/g, ' ')
    .trim()
  const wait = /^(?:en|dentro de|in) (\d{1,3}|[a-z]+) ?([a-z]+)$/.exec(text)
  if (wait) {
    const [, many = '', unit = ''] = wait
    const count = ones.has(many) ? 1 : Number(many)
    const ms = Object.hasOwn(units, unit) ? units[unit] : undefined
    return ms !== undefined && count > 0 ? wallTime(now + count * ms, timeZone) : undefined
  }
  const here = wallTime(now, timeZone)
  const today = here.slice(0, 10)
  const dayIn = (days: number) => new Date(Date.parse(today) + days * dayMs).toISOString().slice(0, 10)
  const named = /^(?:(?:el|este|on|next|this) )?(pasado manana|[a-z]+)(?: (.+))?$/.exec(text)
  if (!named) {
    const clock = clockOf(text)
    return clock && `${clock > here.slice(11) ? today : dayIn(1)}T${clock}`
  }
  const [, word = '', rest] = named
  const clock = rest === undefined ? morning : clockOf(rest)
  if (word === 'a' || word === 'at') {
    const alone = clockOf(text)
    return alone && `${alone > here.slice(11) ? today : dayIn(1)}T${alone}`
  }
  const weekday = weekdays.findIndex(names => names.includes(word))
  const days =
    word === 'hoy' || word === 'today'
      ? 0
      : word === 'manana' || word === 'tomorrow'
        ? 1
        : word === 'pasado manana' || word === 'pasado'
          ? 2
          : weekday >= 0
            ? ((weekday - new Date(today).getUTCDay() + 6) % 7) + 1
            : undefined
  // "Today" says nothing without a time.
  if (clock === undefined || days === undefined || (days === 0 && rest === undefined)) return undefined
  return `${dayIn(days)}T${clock}`
}

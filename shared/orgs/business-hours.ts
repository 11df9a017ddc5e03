import { Type } from 'typebox'
import { timeOfWall, wallTime } from '#shared/kernel/time.ts'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

export const maxSpansPerDay = 6
export const maxExceptions = 200

/**
 * A span from one time of day to another, `HH:MM`, without the end. An end that is not after the begin is on the next
 * day: `20:00` to `02:00` belongs to the day it begins on, `00:00` to `00:00` is the whole day.
 */
export interface HoursSpan {
  from: string
  to: string
}

/** The hours of an organization, in its time zone. A day without spans is closed. */
export interface BusinessHours {
  week: Record<Weekday, HoursSpan[]>
  /** Calendar days, `2026-12-25`, that differ from their weekday. */
  exceptions: { date: string; spans: HoursSpan[] }[]
}

const timeForm = '^(?:[01]\\d|2[0-3]):[0-5]\\d$'
const Spans = Type.Array(
  Type.Object(
    { from: Type.String({ pattern: timeForm }), to: Type.String({ pattern: timeForm }) },
    { additionalProperties: false },
  ),
  { maxItems: maxSpansPerDay },
)
/** `BusinessHours` as calls carry them. */
export const BusinessHoursValue = Type.Object(
  {
    week: Type.Object(Object.fromEntries(weekdays.map(day => [day, Spans])) as Record<Weekday, typeof Spans>, {
      additionalProperties: false,
    }),
    exceptions: Type.Array(
      Type.Object(
        { date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), spans: Spans },
        { additionalProperties: false },
      ),
      { maxItems: maxExceptions, description: 'Days with different hours than their weekday.' },
    ),
  },
  {
    additionalProperties: false,
    description: 'In the organization’s time zone. An end that is not after its start is on the next day.',
  },
)

const dayMs = 86_400_000
/** An opening is searched up to this many days ahead, past closed weeks to an exception. */
const maxDaysAhead = 400

const isOvernight = ({ from, to }: HoursSpan): boolean => to <= from

const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

const weekdayOf = (date: string): Weekday => weekdays[(new Date(date).getUTCDay() + 6) % 7] as Weekday

const spansOn = ({ week, exceptions }: BusinessHours, date: string): readonly HoursSpan[] =>
  exceptions.find(exception => exception.date === date)?.spans ?? week[weekdayOf(date)]

/**
 * Without hours, an organization is always open. Goes by local time, so a repeated hour at a clock change counts twice,
 * and a skipped one never.
 * @param at ISO 8601 @param timeZone IANA
 */
export const isWithinBusinessHours = (hours: BusinessHours | null, at: string, timeZone: string): boolean => {
  if (!hours) return true
  const wall = wallTime(Date.parse(at), timeZone)
  const [date, time] = [wall.slice(0, 10), wall.slice(11)]
  return (
    spansOn(hours, date).some(span => time >= span.from && (isOvernight(span) || time < span.to)) ||
    spansOn(hours, daysAfter(date, -1)).some(span => isOvernight(span) && time < span.to)
  )
}

/**
 * Returns the time at which an organization opens next, ISO 8601 UTC: `at` itself if it is open, null if it will not
 * open within a year.
 * @param at ISO 8601 @param timeZone IANA
 */
export const nextOpening = (hours: BusinessHours | null, at: string, timeZone: string): string | null => {
  if (isWithinBusinessHours(hours, at, timeZone)) return at
  if (!hours) return at
  const today = wallTime(Date.parse(at), timeZone).slice(0, 10)
  for (let days = 0; days <= maxDaysAhead; days += 1) {
    const date = daysAfter(today, days)
    const openings = spansOn(hours, date)
      .map(({ from }) => timeOfWall(`${date}T${from}`, timeZone))
      .filter((opening): opening is string => opening !== undefined && Date.parse(opening) > Date.parse(at))
      .sort()
    if (openings[0]) return openings[0]
  }
  return null
}

/**
 * Returns the times at which an organization opens and closes on a day, in ms, in their order; what is open past
 * midnight ends on the next day.
 * @param date `2026-11-28` @param timeZone IANA
 */
export const openTimesOn = (hours: BusinessHours, date: string, timeZone: string): (readonly [number, number])[] =>
  spansOn(hours, date)
    .map(span => {
      const end = isOvernight(span) ? daysAfter(date, 1) : date
      const [open, close] = [`${date}T${span.from}`, `${end}T${span.to}`].map(wall => timeOfWall(wall, timeZone) ?? '')
      return [Date.parse(open ?? ''), Date.parse(close ?? '')] as const
    })
    .toSorted(([a], [b]) => a - b)

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const overlap = (spans: readonly HoursSpan[]): boolean => {
  const sorted = [...spans].sort((a, b) => (a.from < b.from ? -1 : 1))
  return sorted.some((span, at) => {
    const next = sorted[at + 1]
    return next !== undefined && (isOvernight(span) || minutesOf(span.to) > minutesOf(next.from))
  })
}

const isEmptySpan = ({ from, to }: HoursSpan): boolean => from === to && from !== '00:00'

const isDate = (date: string): boolean => {
  const at = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === date
}

/**
 * The first invalid field below `hours`, such as `week.monday`; undefined: none. Times already have the form `HH:MM`.
 */
export const businessHoursFault = ({ week, exceptions }: BusinessHours): string | undefined => {
  const isBad = (spans: readonly HoursSpan[]) => spans.some(isEmptySpan) || overlap(spans)
  const day = weekdays.find(one => isBad(week[one]))
  if (day) return `week.${day}`
  const dates = exceptions.map(({ date }) => date)
  const at = exceptions.findIndex(
    ({ date, spans }, index) => !isDate(date) || dates.indexOf(date) !== index || isBad(spans),
  )
  return at < 0 ? undefined : `exceptions.${at}`
}

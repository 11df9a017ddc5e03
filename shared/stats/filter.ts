import { type Static, Type } from 'typebox'
import { origins } from './definitions.ts'

/** A range may have so many days. */
export const maxDays = 366

/** Ranges that the page offers, in days. */
export const offeredDays = [1, 7, 30, 90] as const
export const defaultDays = 7

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'A day on the clock of the organization.' })
const Id = Type.String({ minLength: 1, maxLength: 64 })

/** `team` and `member`: conversations that are nobody's. */
export const nobody = 'none'

/** What figures are narrowed by. Without days: the last seven, today included. */
export const statsFilter = {
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxDays, description: 'So many days up to `to`, instead of `from`.' }),
  ),
  team: Type.Optional(Type.Union([Id], { description: `Id of a team; \`${nobody}\`: of none.` })),
  member: Type.Optional(Type.Union([Id], { description: `Id of who has the conversation; \`${nobody}\`: nobody.` })),
  tag: Type.Optional(Id),
  origin: Type.Optional(Type.Enum(origins)),
  number: Type.Optional(Type.String({ maxLength: 30, description: 'Of one of our numbers, digits.' })),
  hours: Type.Optional(Type.Enum(['business'], { description: 'Times count business hours only.' })),
} as const

/** What a figure counts of the conversations that the filter leaves. */
export const shows = [
  'attended',
  'firstResponse',
  'inPromise',
  'latePromise',
  'unanswered',
  'customerWait',
  'waitingNow',
  'resolution',
  'withBot',
  'contained',
  'needsPerson',
  'openNow',
  'unattended',
  'unattendedLate',
] as const
export type Show = (typeof shows)[number]

/** The last bucket of those that have the most. */
export const bucketsMax = 6

/** Of a figure its part. */
export const showPart = {
  show: Type.Optional(Type.Enum(shows, { description: 'What a figure counts; `attended`: all.' })),
  bucket: Type.Optional(
    Type.Integer({ minimum: 0, maximum: bucketsMax, description: 'Of first responses or of unattended ones.' }),
  ),
  weekday: Type.Optional(Type.Integer({ minimum: 1, maximum: 7, description: 'Of the beginning; 1 is Monday.' })),
  hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, description: 'Of the beginning.' })),
  answeredBy: Type.Optional(Id),
} as const

const StatsFilter = Type.Object(statsFilter)
export type StatsFilter = Static<typeof StatsFilter>
const ShowPart = Type.Object(showPart)
export type ShowPart = Static<typeof ShowPart>

/** Ends of the buckets of first responses, in ms; the last one has none. */
export const responseBucketsMs = [30_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000] as const

/** Ends of the ages of unattended conversations, in ms; the last one has none. */
export const ageBucketsMs = [300_000, 900_000, 3_600_000, 86_400_000] as const

/** The bucket of a time: as many ends as it has reached. */
export const bucketOf = (ms: number, ends: readonly number[]): number => ends.filter(end => ms >= end).length

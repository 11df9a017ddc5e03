import { type Static, Type } from 'typebox'
import { origins } from './definitions.ts'

/** The most days of a range. */
export const maxDays = 366

/** Ranges that the page offers, in days. */
export const offeredDays = [1, 7, 30, 90] as const
export const defaultDays = 7

const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'A day in the time zone of the organization.',
})
const Id = Type.String({ minLength: 1, maxLength: 64 })

/** The value of `team` or `member` for conversations without a team or an owner. */
export const nobody = 'none'

/** Filters of figures. Without days: the last seven, today included. */
export const statsFilter = {
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxDays,
      description: 'The number of days that end with `to`, instead of `from`.',
    }),
  ),
  team: Type.Optional(Type.Union([Id], { description: `Id of a team; \`${nobody}\`: conversations without a team.` })),
  member: Type.Optional(
    Type.Union([Id], { description: `Id of the owner of the conversation; \`${nobody}\`: without an owner.` }),
  ),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of a tag.' })),
  origin: Type.Optional(Type.Enum(origins, { description: 'How the conversation began.' })),
  number: Type.Optional(Type.String({ maxLength: 30, description: 'One of the numbers of the organization, digits.' })),
  hours: Type.Optional(Type.Enum(['business'], { description: 'Durations count business hours only.' })),
} as const

/** The figures. Each counts some of the conversations that the filter leaves. */
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
  'unattendedSoon',
  'unattendedLate',
] as const
export type Show = (typeof shows)[number]

/** The largest index of a bucket. */
export const bucketsMax = 6

/** A part of a figure, such as one bar or one cell. */
export const showPart = {
  show: Type.Optional(Type.Enum(shows, { description: 'The figure; `attended` counts all conversations.' })),
  bucket: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: bucketsMax,
      description: 'Index of a bucket of `firstResponse` or `unattended`.',
    }),
  ),
  weekday: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 7, description: 'When the conversation began; 1 is Monday.' }),
  ),
  hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, description: 'When the conversation began.' })),
  answeredBy: Type.Optional(Id),
} as const

const StatsFilter = Type.Object(statsFilter)
export type StatsFilter = Static<typeof StatsFilter>
const ShowPart = Type.Object(showPart)
export type ShowPart = Static<typeof ShowPart>

/** Upper ends of the buckets of first responses, in ms. The last bucket has no end. */
export const responseBucketsMs = [30_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000] as const

/** Upper ends of the ages of unattended conversations, in ms. The last bucket has no end. */
export const ageBucketsMs = [300_000, 900_000, 3_600_000, 86_400_000] as const

/** Index of the bucket that holds a duration. */
export const bucketOf = (ms: number, ends: readonly number[]): number => {
  const bucket = ends.findIndex(end => ms < end)
  return bucket < 0 ? ends.length : bucket
}

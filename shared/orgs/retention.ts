import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { timeOfWall, wallTime } from '#shared/kernel/time.ts'
import { orgSettingFields } from './setting-fields.ts'

/** Larger counts are shown as "more than". */
export const maxCounted = 10_000
const nightBegins = '03:00'

/** Messages from before this time are too old. For a day that the month does not have, its last day. */
export const retentionCutoff = (now: Date, months: number): string => {
  const at = new Date(now)
  const day = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() - months)
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(day, lastDay))
  return at.toISOString()
}

const dayMs = 86_400_000

/** A night may come hours later when clocks change. */
export const longestNightMs = dayMs + 2 * 60 * 60_000

/** The next 3:00 in a zone. */
export const nextNight = (now: number, timeZone: string): number => {
  const nightOf = (at: number) =>
    Date.parse(timeOfWall(`${wallTime(at, timeZone).slice(0, 10)}T${nightBegins}`, timeZone) as string)
  const today = nightOf(now)
  return today > now ? today : nightOf(now + dayMs)
}

const Retention = Type.Object({
  months: Nullable(
    Type.Integer({ description: 'Number of months that messages and their files are kept; null: forever.' }),
  ),
  nextAt: Nullable(Timestamp),
  lastRun: Nullable(Type.Object({ at: Timestamp, deletedMessages: Type.Integer({ minimum: 0 }) })),
})
const { schema: Months, access } = orgSettingFields.retentionMonths

/** An organization chooses how long it keeps messages. */
export const retentionApi = {
  getRetention: endpoint({
    method: 'GET',
    path: '/organization/retention',
    access,
    peopleOnly: true,
    reply: Retention,
    summary: 'How many months messages and their files are kept, and what was deleted last night.',
  }),
  previewRetention: endpoint({
    method: 'GET',
    path: '/organization/retention/preview',
    access,
    peopleOnly: true,
    query: Type.Object({ months: Months }, { additionalProperties: false }),
    reply: Type.Object({
      before: Timestamp,
      startsAt: Timestamp,
      messages: Type.Integer({ minimum: 0 }),
      files: Type.Integer({ minimum: 0 }),
      bytes: Type.Integer({ minimum: 0 }),
      isMore: Type.Boolean({ description: `True: there are more than the ${maxCounted} messages counted.` }),
    }),
    summary: 'What would be deleted with the given number of months. Changes nothing.',
  }),
  setRetention: endpoint({
    method: 'PUT',
    path: '/organization/retention',
    access,
    peopleOnly: true,
    body: Type.Object({ months: Type.Union([Months, Type.Null()]) }, { additionalProperties: false }),
    reply: Retention,
    summary:
      'Sets how many months messages and their files are kept; older ones are deleted each night; null: forever.',
  }),
} as const

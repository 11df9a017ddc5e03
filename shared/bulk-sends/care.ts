import { type Static, Type } from 'typebox'
import { Nullable } from '#shared/kernel/list.ts'
import { maxRecipients, maxScheduledDays } from './limits.ts'

/** Limits at which a send stops, and the cap of marketing messages per person, unless the creator sets others. */
export const careDefaults = {
  failedPercent: 20,
  optedOutPercent: 5,
  canary: { people: 50, waitMinutes: 30 },
  marketingCap: { sends: 1, days: 1 },
} as const

export const MarketingCap = Type.Object(
  {
    sends: Type.Integer({ minimum: 1, maximum: 100 }),
    days: Type.Integer({ minimum: 1, maximum: 30 }),
  },
  {
    additionalProperties: false,
    description:
      'Contacts who got this many marketing sends in this many days are left out. Absent: one a day; null: no limit.',
  },
)

export const StartAt = Type.String({
  maxLength: 40,
  description: `When it starts by itself, ISO 8601 with its offset; at most ${maxScheduledDays} days ahead.`,
})

const Canary = Type.Object(
  {
    people: Type.Integer({ minimum: 1, maximum: maxRecipients }),
    waitMinutes: Type.Integer({ minimum: 1, maximum: 1440 }),
  },
  {
    additionalProperties: false,
    description:
      'This many recipients get it first. The others get it after this time, if the outcomes of the first ones are within the limits.',
  },
)
export const usualHours = { from: 9, to: 20 } as const
const LocalHours = Type.Object(
  {
    from: Type.Integer({ minimum: 0, maximum: 23 }),
    to: Type.Integer({ minimum: 1, maximum: 24, description: 'This hour is past it; later than `from`.' }),
  },
  {
    additionalProperties: false,
    description:
      "Each gets it within these hours by the clock of their number's country, where that has several in all of them; of no country by the organization's. Null: at any hour.",
  },
)
const Percent = Type.Integer({ minimum: 1, maximum: 100 })
const ofLimits = `It stops above them: of those known so far, who failed or opted out. Null: it does not. Absent: ${careDefaults.failedPercent} and ${careDefaults.optedOutPercent}.`
export const careFields = {
  canary: Nullable(Canary),
  hours: Nullable(LocalHours),
  limits: Type.Object(
    { failedPercent: Nullable(Percent), optedOutPercent: Nullable(Percent) },
    { additionalProperties: false, description: ofLimits },
  ),
}
export const careInput = {
  canary: Type.Optional(Type.Union([Canary, Type.Null()])),
  hours: Type.Optional(Type.Union([LocalHours, Type.Null()])),
  limits: Type.Optional(
    Type.Object(
      {
        failedPercent: Type.Union([Percent, Type.Null()]),
        optedOutPercent: Type.Union([Percent, Type.Null()]),
      },
      { additionalProperties: false, description: ofLimits },
    ),
  ),
}
/** Safety settings of a send. */
export type BulkSendCare = { [K in keyof typeof careFields]: Static<(typeof careFields)[K]> } & {
  marketingCap: Static<typeof MarketingCap> | null
  /** Each recipient gets it from this local time on. Absent: no local times. */
  localStart?: string | null
}
export const LocalStart = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$',
  description:
    "Each gets it from this time on by the clock of their number's country, such as `2026-12-01T10:00`, in place of `startAt`.",
})

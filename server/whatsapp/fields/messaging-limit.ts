import { asNumber, asObject, asText } from '../scalars.ts'

/** Meta's names of the fields that report a changed limit. */
export const messagingLimitFields = ['business_capability_update', 'phone_number_quality_update'] as const

const thousands: Readonly<Record<string, number>> = { K: 1000, M: 1_000_000 }

/**
 * Reads the number of people whom a business may write to first within 24 hours; `Infinity`: no limit. Meta sends
 * `TIER_2K`, or a number with -1 for no limit. Undefined: neither.
 */
export const readMessagingLimit = (said: unknown): number | undefined => {
  const word = asText(said)
  if (word === 'TIER_UNLIMITED') return Number.POSITIVE_INFINITY
  const [, digits, unit = ''] = /^TIER_(\d{1,6})([KM]?)$/.exec(word ?? '') ?? []
  if (digits) return Number(digits) * (thousands[unit] ?? 1)
  const count = asNumber(said)
  if (count === -1) return Number.POSITIVE_INFINITY
  return count !== undefined && Number.isSafeInteger(count) && count > 0 ? count : undefined
}

/** The limit in the value of one of these fields; undefined: none. */
export const limitOfWebhook = (value: unknown): number | undefined => {
  const said = asObject(value)
  // The business's limit has priority over that of the number, from older API versions.
  for (const name of [
    'max_daily_conversations_per_business',
    'current_limit',
    'max_daily_conversation_per_phone',
  ] as const) {
    const limit = readMessagingLimit(said?.[name])
    if (limit !== undefined) return limit
  }
  return undefined
}

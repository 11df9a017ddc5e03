import type { Notify } from '#server/platform/events/notify.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { daysUntil, tokenEndingDays } from '#shared/kernel/days-until.ts'
import { rolesWith } from '#shared/kernel/permissions.ts'
import { type KnownStanding, partValue, type StandingFacts } from './facts.ts'

export interface StandingNoticeParts {
  readonly clock: Clock
  readonly notifyRoles: Notify['notifyRoles']
}

/** Days before a token expires on which people are notified. */
const warnings = [tokenEndingDays, 3, 1] as const

/** Notifies members who manage connections, once, of what got worse about a number. */
export function createStandingNotices({ clock, notifyRoles }: StandingNoticeParts) {
  /** Compares with what people were notified of, notifies of what got worse, and returns what they know now. */
  const tell = async (
    write: OrgWrite,
    phone: string,
    facts: StandingFacts,
    before: KnownStanding = {},
  ): Promise<KnownStanding> => {
    const number = displayPhone(phone) || phone
    const notify = (key: string, params: Record<string, string | number>) =>
      notifyRoles(write, rolesWith('connection:manage'), { words: { key, params: { number, ...params } } })
    const quality = partValue(facts.quality)
    if (quality === 'medium' && before.quality === 'high') await notify('qualityMedium', {})
    if (quality === 'low' && before.quality !== 'low' && before.quality !== undefined) await notify('qualityLow', {})
    const [most, people] = [before.limit, partValue(facts.limit) ?? undefined]
    const isLower = most !== undefined && people !== undefined && people >= 0 && (most < 0 || people < most)
    if (isLower) await notify('limitLower', { people })
    return {
      quality: quality ?? before.quality ?? quality,
      limit: people ?? most,
      tokenDays: await notifyOfExpiry(facts, before.tokenDays, notify),
    }
  }

  /** Returns the number of days before expiry that people were notified of. */
  const notifyOfExpiry = async (
    facts: StandingFacts,
    known: number | undefined,
    notify: (key: string, params: Record<string, number>) => Promise<void>,
  ): Promise<number | undefined> => {
    const expiresAt = partValue(facts.token)?.expiresAt
    if (expiresAt === undefined) return known
    const days = expiresAt === null ? Number.POSITIVE_INFINITY : daysUntil(expiresAt, clock.now().getTime())
    const due = warnings.findLast(one => days <= one)
    if (due !== undefined && due !== known) await notify('tokenEnding', { count: Math.max(0, days) })
    return due
  }

  return { tell }
}

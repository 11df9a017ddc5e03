import type { Notify } from '#server/platform/events/notify.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { daysUntil, tokenEndingDays } from '#shared/kernel/days-until.ts'
import { rolesWith } from '#shared/kernel/permissions.ts'
import { type KnownStanding, type StandingFacts, saidOf } from './standing-facts.ts'

export interface StandingNoticeParts {
  readonly clock: Clock
  readonly notifyRoles: Notify['notifyRoles']
}

/** Days before a token's end on which somebody is told. */
const warnings = [tokenEndingDays, 3, 1] as const

/** Who looks after the connection hears once of what has become worse with a number. */
export function createStandingNotices({ clock, notifyRoles }: StandingNoticeParts) {
  /** Tells owners and admins what has become worse than they know, once; answers what they know now. */
  const tell = async (
    write: OrgWrite,
    phone: string,
    facts: StandingFacts,
    before: KnownStanding = {},
  ): Promise<KnownStanding> => {
    const number = displayPhone(phone) || phone
    const notify = (key: string, params: Record<string, string | number>) =>
      notifyRoles(write, rolesWith('connection:manage'), { words: { key, params: { number, ...params } } })
    const quality = saidOf(facts.quality)
    if (quality === 'medium' && before.quality === 'high') await notify('qualityMedium', {})
    if (quality === 'low' && before.quality !== 'low' && before.quality !== undefined) await notify('qualityLow', {})
    const [most, people] = [before.limit, saidOf(facts.limit) ?? undefined]
    const isLower = most !== undefined && people !== undefined && people >= 0 && (most < 0 || people < most)
    if (isLower) await notify('limitLower', { people })
    return {
      quality: quality ?? before.quality ?? quality,
      limit: people ?? most,
      tokenDays: await tellOfToken(facts, before.tokenDays, notify),
    }
  }

  /** Of how many days before its end people know. */
  const tellOfToken = async (
    facts: StandingFacts,
    known: number | undefined,
    notify: (key: string, params: Record<string, number>) => Promise<void>,
  ): Promise<number | undefined> => {
    const expiresAt = saidOf(facts.token)?.expiresAt
    if (expiresAt === undefined) return known
    const days = expiresAt === null ? Number.POSITIVE_INFINITY : daysUntil(expiresAt, clock.now().getTime())
    const due = warnings.findLast(one => days <= one)
    if (due !== undefined && due !== known) await notify('tokenEnding', { count: Math.max(0, days) })
    return due
  }

  return { tell }
}

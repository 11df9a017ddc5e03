import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'
import { ratingOf, verdictOf } from '#shared/templates/words.ts'

/** The roles that are notified of Meta's decisions. */
const audience: readonly OrgRole[] = ['owner', 'admin']

const keyOfVerdict = {
  approved: 'templateApproved',
  rejected: 'templateRejected',
  paused: 'templatePaused',
  disabled: 'templateDisabled',
} as const satisfies Record<NonNullable<ReturnType<typeof verdictOf>>, string>

const statusKeyOf = (before: string, status: string): string | undefined => {
  const verdict = status === before ? undefined : verdictOf(status)
  return verdict && keyOfVerdict[verdict]
}

/** A good first rating is no news. */
const qualityKeyOf = (before: string, quality: string): string | undefined => {
  const [was, rating] = [ratingOf(before), ratingOf(quality)]
  if (rating === was) return undefined
  if (rating === 'low') return 'templateQualityLow'
  if (rating === 'medium') return 'templateQualityMedium'
  return rating === 'high' && was !== undefined ? 'templateQualityHigh' : undefined
}

/** The texts about a change. If the status changed too, the quality is its reason and is omitted. */
const keysOf = ({ before, byVendor, removed, ...now }: EventOf<'template.changed'>['data']): readonly string[] => {
  if (!before || !byVendor || removed) return []
  const status = statusKeyOf(before.status, now.status)
  const category = now.category === before.category ? undefined : 'templateRecategorised'
  return [status ?? qualityKeyOf(before.quality, now.quality), category].filter(key => key !== undefined)
}

/** Notifies owners and admins of Meta's decisions on templates. */
export const createTemplateNotices = ({
  notifyRoles,
}: Pick<Notify, 'notifyRoles'>): TransactionListener<'template.changed'> => ({
  name: 'template notices',
  on: ['template.changed'],
  async handle(write, events) {
    for (const event of events) {
      const { name, language } = event.data
      for (const key of keysOf(event.data))
        await notifyRoles(write, audience, { words: { key, params: { name, language } } }, { after: event })
    }
  },
})

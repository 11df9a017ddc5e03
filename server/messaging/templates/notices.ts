import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'

/** The roles that are notified of Meta's decisions. */
const audience: readonly OrgRole[] = ['owner', 'admin']

const ofStatus: ReadonlyMap<string, string> = new Map([
  ['APPROVED', 'templateApproved'],
  ['REJECTED', 'templateRejected'],
  ['PAUSED', 'templatePaused'],
  ['DISABLED', 'templateDisabled'],
])

/** A good first rating is no news. */
const qualityKeyOf = (before: string, quality: string): string | undefined => {
  if (quality === before) return undefined
  if (quality === 'RED') return 'templateQualityLow'
  if (quality === 'YELLOW') return 'templateQualityMedium'
  return quality === 'GREEN' && (before === 'RED' || before === 'YELLOW') ? 'templateQualityHigh' : undefined
}

/** The texts about a change. If the status changed too, the quality is its reason and is omitted. */
const keysOf = ({ before, byVendor, removed, ...now }: EventOf<'template.changed'>['data']): readonly string[] => {
  if (!before || !byVendor || removed) return []
  const status = now.status === before.status ? undefined : ofStatus.get(now.status)
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

import type { EventOf } from '#shared/events/domain.ts'
import type { OrgRole } from '#shared/permissions.ts'
import type { TransactionListener } from '../events/listeners.ts'
import type { Notifications } from '../notifications/service.ts'

/** Who is told what Meta decided. */
const audience: readonly OrgRole[] = ['owner', 'admin']

const keys: Readonly<Record<string, string>> = {
  APPROVED: 'templateApproved',
  REJECTED: 'templateRejected',
  PAUSED: 'templatePaused',
  DISABLED: 'templateDisabled',
}

/** What is said of a change; undefined: nothing. */
const keyOf = ({ before, byVendor, removed, status, category }: EventOf<'template.changed'>['data']) => {
  if (!before || !byVendor || removed) return undefined
  if (status !== before.status && Object.hasOwn(keys, status)) return keys[status]
  return category === before.category ? undefined : 'templateRecategorised'
}

/** Tells owners and admins what Meta decided of a template by itself. */
export const createTemplateNotices = ({
  notifyRoles,
}: Pick<Notifications, 'notifyRoles'>): TransactionListener<'template.changed'> => ({
  name: 'template notices',
  on: ['template.changed'],
  async handle(write, events) {
    for (const event of events) {
      const key = keyOf(event.data)
      const { name, language } = event.data
      if (key) await notifyRoles(write, audience, { words: { key, params: { name, language } } }, { after: event })
    }
  },
})

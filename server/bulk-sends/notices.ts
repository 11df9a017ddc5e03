import type { EventOf } from '#shared/events/domain.ts'
import type { Words } from '#shared/events/notifications.ts'
import type { OrgRole } from '#shared/permissions.ts'
import type { TransactionListener } from '../events/listeners.ts'
import type { Notifications } from '../notifications/service.ts'

const managers: readonly OrgRole[] = ['owner', 'admin']

const wordsOf = ({
  state,
  before,
  templateName,
  people,
  isTest,
}: EventOf<'bulkSend.changed'>['data']): Words | undefined => {
  // Whoever sent a test is looking at it.
  if (state === before || isTest) return undefined
  if (state === 'completed') return { key: 'bulkSendCompleted', params: { template: templateName, count: people } }
  return state === 'blocked' ? { key: 'bulkSendBlocked', params: { template: templateName } } : undefined
}

/** Tells whoever made a send that it is through; that it stopped by itself, also those who can mend why. */
export const createBulkSendNotices = ({
  notify,
  notifyRoles,
}: Pick<Notifications, 'notify' | 'notifyRoles'>): TransactionListener<'bulkSend.changed'> => ({
  name: 'bulk send notices',
  on: ['bulkSend.changed'],
  async handle(write, events) {
    for (const event of events) {
      const words = wordsOf(event.data)
      if (!words) continue
      const notice = { words, redirect: `/masive/${event.data.id}` }
      if (event.data.state === 'blocked') await notifyRoles(write, managers, notice, { after: event })
      else await notify(write, { ...notice, userIds: [event.data.creatorId] }, { after: event })
    }
  },
})

import type { Senders } from '#server/features/bulk-sends/senders.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify, Words } from '#server/platform/events/notify.ts'
import { type OrgRole, roleCan } from '#shared/kernel/permissions.ts'

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
  findRole,
}: Pick<Notify, 'notify' | 'notifyRoles'> & Pick<Senders, 'findRole'>): TransactionListener<'bulkSend.changed'> => ({
  name: 'bulk send notices',
  on: ['bulkSend.changed'],
  after: ['rights to bulk sends'],
  async handle(write, events) {
    for (const event of events) {
      const words = wordsOf(event.data)
      if (!words) continue
      const notice = { words, redirect: `/masive/${event.data.id}` }
      const { state, creatorId } = event.data
      const isBlocked = state === 'blocked'
      const { kind, id: actor } = write.by
      // Such as by taking its maker's right to it.
      const except = kind === 'person' ? actor : null
      if (isBlocked) await notifyRoles(write, managers, { ...notice, except }, { after: event })
      const role = await findRole(write.db, write.orgId, creatorId)
      // Who may not open it any more is not told of it; managers are told already.
      if (!role || !roleCan(role, 'bulk:send') || (isBlocked && managers.includes(role))) continue
      await notify(write, { ...notice, userIds: [creatorId] }, { after: event })
    }
  },
})

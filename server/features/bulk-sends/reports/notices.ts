import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify, Words } from '#server/platform/events/notify.ts'
import { type OrgRole, roleCan } from '#shared/kernel/permissions.ts'
import type { Senders } from '../senders.ts'

const managers: readonly OrgRole[] = ['owner', 'admin']

const wordsOf = ({
  state,
  before,
  templateName,
  people,
  isTest,
  approval,
  creatorName: name,
}: EventOf<'bulkSend.changed'>['data']): Words | undefined => {
  if (approval === 'needed' && state !== before)
    return { key: 'bulkSendApproval', params: { template: templateName, count: people, name } }
  if (approval !== null && approval !== 'needed')
    return { key: 'bulkSendApproved', params: { template: templateName, name: approval.by } }
  // The person who sent a test is watching it.
  if (state === before || isTest) return undefined
  if (state === 'completed') return { key: 'bulkSendCompleted', params: { template: templateName, count: people } }
  return state === 'blocked' ? { key: 'bulkSendBlocked', params: { template: templateName } } : undefined
}

/** Notifies the creator when a send has ended. If it stopped, also those who can fix it. */
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
      const { state, creatorId, approval } = event.data
      if (approval === 'needed') {
        await notifyRoles(write, managers, { ...notice, except: creatorId }, { after: event })
        continue
      }
      const isBlocked = state === 'blocked'
      const { kind, id: actor } = write.by
      // Such as a person who revoked the creator's right.
      const except = kind === 'person' ? actor : null
      if (isBlocked) await notifyRoles(write, managers, { ...notice, except }, { after: event })
      const role = await findRole(write.db, write.orgId, creatorId)
      // A creator who can no longer open it is not notified. Managers already were.
      if (!role || !roleCan(role, 'bulk:send') || (isBlocked && managers.includes(role))) continue
      await notify(write, { ...notice, userIds: [creatorId] }, { after: event })
    }
  },
})

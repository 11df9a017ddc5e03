import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { rolesWith } from '#shared/kernel/permissions.ts'

/** Notifies members who manage connections that a number stopped working. */
export const createConnectionNotices = ({
  notifyRoles,
}: Pick<Notify, 'notifyRoles'>): TransactionListener<'connection.changed'> => ({
  name: 'connection notices',
  on: ['connection.changed'],
  async handle(write, events) {
    for (const event of events) {
      const { status, phone, reason } = event.data
      if (status === null || status === 'connected' || phone === null) continue
      const params = { number: displayPhone(phone) || phone, code: reason ?? '' }
      await notifyRoles(write, rolesWith('connection:manage'), { words: { key: status, params } }, { after: event })
    }
  },
})

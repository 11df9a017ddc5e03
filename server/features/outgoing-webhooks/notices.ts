import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import { rolesWith } from '#shared/kernel/permissions.ts'

const audience = rolesWith('connection:manage')

/** Notifies those who may change webhooks that a webhook was deactivated because deliveries failed. */
export const createWebhookNotices = ({
  notifyRoles,
}: Pick<Notify, 'notifyRoles'>): TransactionListener<'outgoingWebhook.stopped'> => ({
  name: 'notices of outgoing webhooks',
  on: ['outgoingWebhook.stopped'],
  async handle(write, events) {
    for (const event of events) {
      const { name, reason } = event.data
      // Somebody is changing it right now, and its page shows that it failed.
      if (reason === 'handshake') continue
      const key = reason === 'gone' ? 'webhookGone' : 'webhookFailing'
      await notifyRoles(write, audience, { words: { key, params: { name } } }, { after: event })
    }
  },
})

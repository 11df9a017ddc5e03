import type { Databases } from '#server/platform/db/db.ts'
import { webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import { createDeliveries } from './deliveries.ts'
import { deleteOldDeliveries } from './delivery-store.ts'
import { createWebhookNotices } from './notices.ts'
import { createWebhookService } from './service.ts'
import { findWebhook, hasWebhooks } from './webhook-store.ts'

type OutgoingWebhooksParts = Parameters<typeof createDeliveries>[0] &
  Omit<Parameters<typeof createWebhookService>[0], 'deliveries'> &
  Parameters<typeof createWebhookNotices>[0]

const keptMs = webhookLimits.days * 24 * 60 * 60 * 1000
const deletedAtOnce = 500

/** Whether anybody here has a webhook, whose secret is sealed with the installation's. */
export const keepsWebhooks = (db: Databases['read']): Promise<boolean> => hasWebhooks(db)

/** Addresses of other programs that are told of something. */
export function createOutgoingWebhooks(parts: OutgoingWebhooksParts) {
  const deliveries = createDeliveries(parts)
  return {
    service: createWebhookService({ ...parts, deliveries }),
    listener: createWebhookNotices(parts),
    send: deliveries.send,
    /** Whether one of that name would be told now. */
    async isActive(db: Databases['read'], orgId: string, name: string): Promise<boolean> {
      return (await findWebhook(db, orgId, name))?.active === true
    },
    /** Deletes some deliveries of long ago; answers how many went. */
    prune: (now: Date) =>
      deleteOldDeliveries(parts.databases.write, new Date(now.getTime() - keptMs).toISOString(), deletedAtOnce),
  }
}

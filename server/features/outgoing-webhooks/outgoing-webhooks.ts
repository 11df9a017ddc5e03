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

/** Whether any webhook exists. Their secrets are encrypted with the installation's. */
export const keepsWebhooks = (db: Databases['read']): Promise<boolean> => hasWebhooks(db)

/** Addresses of other programs that receive events. */
export function createOutgoingWebhooks(parts: OutgoingWebhooksParts) {
  const deliveries = createDeliveries(parts)
  return {
    service: createWebhookService({ ...parts, deliveries }),
    listener: createWebhookNotices(parts),
    send: deliveries.send,
    /** Whether a webhook of that name is active. */
    async isActive(db: Databases['read'], orgId: string, name: string): Promise<boolean> {
      return (await findWebhook(db, orgId, name))?.active === true
    },
    /** Deletes old deliveries. Returns how many. */
    prune: (now: Date) =>
      deleteOldDeliveries(parts.databases.write, new Date(now.getTime() - keptMs).toISOString(), deletedAtOnce),
  }
}

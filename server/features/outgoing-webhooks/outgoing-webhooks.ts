import type { Databases } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { tapDelivery, webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import { createDeliveries } from './deliveries.ts'
import { createDelivering } from './delivering.ts'
import { deleteOldDeliveries, type StoredDelivery } from './delivery-store.ts'
import { deleteOldEvents } from './event-store.ts'
import { createFanOut } from './fan-out.ts'
import { createListening } from './listening.ts'
import { createWebhookNotices } from './notices.ts'
import { createPassingOn } from './passing-on.ts'
import { createWebhookService } from './service.ts'
import { createTelling } from './telling.ts'
import { findWebhook, hasWebhooks } from './webhook-store.ts'

type OutgoingWebhooksParts = Omit<Parameters<typeof createDelivering>[0], 'listening'> &
  Omit<Parameters<typeof createDeliveries>[0], 'delivering'> &
  Omit<Parameters<typeof createPassingOn>[0], 'listening' | 'delivering' | 'fanOut'> &
  Omit<Parameters<typeof createWebhookService>[0], 'deliveries' | 'listening'> &
  Parameters<typeof createWebhookNotices>[0]

const dayMs = 24 * 60 * 60 * 1000
const deletedAtOnce = 500

/** The secrets of webhooks are encrypted with the installation's. */
export const keepsWebhooks = (db: Databases['read']): Promise<boolean> => hasWebhooks(db)

/** Addresses of other programs that receive events. */
export function createOutgoingWebhooks(parts: OutgoingWebhooksParts) {
  const { databases } = parts
  const listening = createListening(databases)
  const delivering = createDelivering({ ...parts, listening })
  const deliveries = createDeliveries({ ...parts, delivering })
  const fanOut = createFanOut({ ...parts, delivering })
  const passingOn = createPassingOn({ ...parts, listening, delivering, fanOut })

  const takesTaps = async (db: Databases['read'], orgId: string, name: string): Promise<boolean> => {
    const webhook = await findWebhook(db, orgId, name)
    return webhook?.active === true && webhook.events.includes(tapDelivery)
  }

  return {
    appliedWebhooks: passingOn,
    passOn: passingOn.passOn,
    service: createWebhookService({ ...parts, deliveries, listening }),
    listeners: [createTelling({ ...parts, listening, fanOut }), createWebhookNotices(parts)],
    /** Tells a webhook of a tap, in the caller's transaction. Undefined: none of that name takes taps. */
    async send(
      write: OrgWrite,
      name: string,
      said: { type: string; data: object },
    ): Promise<StoredDelivery | undefined> {
      return (await takesTaps(write.db, write.orgId, name)) ? deliveries.send(write, name, said) : undefined
    },
    /** True if a webhook of that name takes taps. */
    isActive: takesTaps,
    /** Deletes old deliveries, and events that no delivery refers to any more. Returns how many. */
    async prune(now: Date): Promise<number> {
      const before = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
      const db = databases.write
      const deliveries = await inBatches(deletedAtOnce, limit =>
        deleteOldDeliveries(db, before(webhookLimits.days), limit),
      )
      // A day later, because deliveries are made after their event.
      const events = await inBatches(deletedAtOnce, limit => deleteOldEvents(db, before(webhookLimits.days + 1), limit))
      return deliveries + events
    },
  }
}

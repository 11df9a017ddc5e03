import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { readTime } from '#server/platform/http/time-input.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { type outgoingWebhooksApi, testDelivery, webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import type { Deliveries } from './deliveries.ts'
import { findDelivery, listDeliveries } from './delivery-store.ts'
import { webhookErrors } from './errors.ts'
import { presentDelivery } from './presenting.ts'
import { requireWebhook, type StoredWebhook } from './webhook-store.ts'

interface DeliveryCallsParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly deliveries: Deliveries
}

type DeliveryCalls = 'testWebhook' | 'listDeliveries' | 'redeliver' | 'redeliverMany'

/** @throws OUTGOING_WEBHOOKS_NOT_FOUND, OUTGOING_WEBHOOKS_INACTIVE */
async function requireActive(db: Db, orgId: string, name: string): Promise<StoredWebhook> {
  const found = await requireWebhook(db, orgId, name)
  if (!found.active) throw webhookErrors.INACTIVE({ params: { name } })
  return found
}

/** Lists the deliveries of a webhook, and sends a test or earlier deliveries again. */
export function createDeliveryCalls({
  databases,
  clock,
  writes,
  deliveries,
}: DeliveryCallsParts): Pick<ServiceOf<typeof outgoingWebhooksApi, OrgCaller>, DeliveryCalls> {
  return {
    testWebhook: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { name, format } = await requireActive(write.db, write.orgId, params.name)
        if (format === 'meta') return presentDelivery(await deliveries.sendHandshake(write, name))
        const data = { webhook: name, by: caller.name }
        return presentDelivery(await deliveries.send(write, name, { type: testDelivery, data }))
      }),

    async listDeliveries({ orgId }, { params, query }) {
      const db = databases.read
      const { name: webhook, createdAt: since } = await requireWebhook(db, orgId, params.name)
      const limit = webhookLimits.deliveriesAtOnce
      const { before, state } = query
      const found = await listDeliveries(db, orgId, { webhook, since, before, state, limit: limit + 1 })
      const items = found.slice(0, limit).map(presentDelivery)
      return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null }
    },

    redeliver: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const webhook = await requireWebhook(db, orgId, params.name)
        const delivery = await findDelivery(db, orgId, params.id)
        if (delivery?.webhook !== webhook.name || delivery.created_at < webhook.createdAt)
          throw webhookErrors.DELIVERY_NOT_FOUND()
        if (!webhook.active) throw webhookErrors.INACTIVE({ params: { name: webhook.name } })
        await deliveries.sendAgain(write, delivery)
        return presentDelivery({ ...delivery, state: 'waiting' })
      }),

    redeliverMany: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { name, createdAt } = await requireActive(write.db, write.orgId, params.name)
        const since = readTime(body.since, 'body.since')
        const range = {
          webhook: name,
          since: since < createdAt ? createdAt : since,
          until: body.until === undefined ? isoNow(clock) : readTime(body.until, 'body.until'),
          states: body.all ? (['failed', 'delivered'] as const) : (['failed'] as const),
        }
        return { count: await deliveries.sendRangeAgain(write, range) }
      }),
  }
}

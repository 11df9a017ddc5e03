import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { OutgoingWebhook, WebhookDelivery } from '#shared/outgoing-webhooks/api.ts'
import { nextAttemptAt } from './delivering.ts'
import { listNewest, type StoredDelivery } from './delivery-store.ts'
import { headersOf } from './sealed.ts'
import type { StoredWebhook } from './webhook-store.ts'

export const presentDelivery = (delivery: StoredDelivery): WebhookDelivery => {
  const { id, type, state, attempts, status, failure, body, answer } = delivery
  return {
    id,
    type,
    state,
    attempts,
    status,
    failure,
    body,
    answer,
    createdAt: delivery.created_at,
    nextAt: state === 'waiting' ? nextAttemptAt(delivery) : null,
    attemptedAt: delivery.attempted_at,
    tookMs: delivery.took_ms,
  }
}

interface WebhookPresenting {
  present(db: Db, orgId: string, webhook: StoredWebhook): Promise<OutgoingWebhook>
  presentAll(db: Db, orgId: string, webhooks: readonly StoredWebhook[]): Promise<OutgoingWebhook[]>
}

/** Shows webhooks without their secrets, each with the result of its newest delivery. */
export function createWebhookPresenting(vault: Pick<Vault, 'decrypt'>, clock: Clock): WebhookPresenting {
  /** Names of a webhook's headers. They are encrypted with their values, which may have become unreadable. */
  const headerNamesOf = (orgId: string, webhook: StoredWebhook): string[] => {
    try {
      return Object.keys(headersOf(vault, orgId, webhook))
    } catch {
      return []
    }
  }

  const presentAll = async (db: Db, orgId: string, webhooks: readonly StoredWebhook[]): Promise<OutgoingWebhook[]> => {
    const newest = new Map((await listNewest(db, orgId)).map(delivery => [delivery.webhook, delivery]))
    const now = isoNow(clock)
    return webhooks.map(webhook => {
      const { sealed: _, verifyToken: __, former, events, ...shown } = webhook
      const last = newest.get(webhook.name)
      return {
        ...shown,
        events: [...events],
        headers: headerNamesOf(orgId, webhook),
        formerSecretUntil: former && former.until > now ? former.until : null,
        last: last
          ? { state: last.state, at: last.attempted_at ?? last.created_at, failure: last.failure, status: last.status }
          : null,
      }
    })
  }
  const present = async (db: Db, orgId: string, webhook: StoredWebhook): Promise<OutgoingWebhook> => {
    const [shown] = await presentAll(db, orgId, [webhook])
    return shown as OutgoingWebhook
  }

  return { present, presentAll }
}

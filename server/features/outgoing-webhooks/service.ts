import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { readTime } from '#server/platform/http/time-input.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import {
  type OutgoingWebhook,
  type outgoingWebhooksApi,
  tapDelivery,
  testDelivery,
  type WebhookDelivery,
  type WebhookFilter,
  type WebhookFormat,
  webhookLimits,
} from '#shared/outgoing-webhooks/api.ts'
import { readHeaders } from './custom-headers.ts'
import type { Deliveries } from './deliveries.ts'
import { nextAttemptAt } from './delivering.ts'
import { findDelivery, listDeliveries, listNewest, type StoredDelivery } from './delivery-store.ts'
import { webhookErrors } from './errors.ts'
import { describedEvents } from './kinds/described.ts'
import type { ListeningWebhooks } from './listening.ts'
import { headersOf, placeOf } from './sealed.ts'
import { newAppSecret, newSecret } from './signature.ts'
import { deleteWebhook, findWebhook, listWebhooks, type StoredWebhook, saveWebhook } from './webhook-store.ts'

interface ServiceParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly vault: Pick<Vault, 'encrypt' | 'decrypt'>
  readonly writes: Pick<Writes, 'run'>
  readonly deliveries: Deliveries
  readonly listening: Pick<ListeningWebhooks, 'changed'>
  readonly outbound: Pick<Outbound, 'mayCall'>
}

const bothSecretsMs = webhookLimits.bothSecretsHours * 60 * 60 * 1000

/** @throws InvalidInput for an address that must not be called */
const addressOf = (typed: string, { outbound }: Pick<ServiceParts, 'outbound'>): string => {
  const url = typed.trim()
  if (!outbound.mayCall(url)) throw new InvalidInput([{ field: 'body.url', code: 'invalid', params: {} }])
  return url
}

const presentDelivery = (delivery: StoredDelivery): WebhookDelivery => {
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

/** Answers the calls of owners, admins and developers. */
export function createWebhookService(parts: ServiceParts): ServiceOf<typeof outgoingWebhooksApi, OrgCaller> {
  const { databases, clock, vault, writes, deliveries, listening } = parts

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

  /** @throws OUTGOING_WEBHOOKS_NOT_FOUND */
  const requireWebhook = async (db: Db, orgId: string, name: string): Promise<StoredWebhook> => {
    const found = await findWebhook(db, orgId, name)
    if (!found) throw webhookErrors.NOT_FOUND()
    return found
  }

  /** @throws OUTGOING_WEBHOOKS_NOT_FOUND, OUTGOING_WEBHOOKS_INACTIVE */
  const requireActive = async (db: Db, orgId: string, name: string): Promise<StoredWebhook> => {
    const found = await requireWebhook(db, orgId, name)
    if (!found.active) throw webhookErrors.INACTIVE({ params: { name } })
    return found
  }

  /** Options of one format are refused in the other, where they would do nothing. */
  const requireOfFormat = (
    format: WebhookFormat,
    { events, filter, verifyToken }: { events?: unknown; filter?: WebhookFilter | null; verifyToken?: unknown },
  ) => {
    const { fields, messageTypes, tags } = filter ?? {}
    const foreign =
      format === 'meta'
        ? { events, 'filter.tags': tags }
        : { verifyToken, 'filter.fields': fields, 'filter.messageTypes': messageTypes }
    const faults = Object.entries(foreign).flatMap(([name, value]) =>
      value === undefined ? [] : [{ field: `body.${name}`, code: 'invalid', params: {} }],
    )
    if (faults.length) throw new InvalidInput(faults)
  }

  const sealHeaders = (orgId: string, name: string, given: Readonly<Record<string, string>>): string | null => {
    const headers = readHeaders(given)
    return Object.keys(headers).length ? vault.encrypt(JSON.stringify(headers), placeOf.headers(orgId, name)) : null
  }

  const sealToken = (orgId: string, name: string, token: string | null): string | null =>
    token === null ? null : vault.encrypt(token, placeOf.verifyToken(orgId, name))

  return {
    async listWebhooks({ orgId }) {
      const db = databases.read
      return { items: await presentAll(db, orgId, await listWebhooks(db, orgId)) }
    },

    async listNames({ orgId }) {
      const webhooks = await listWebhooks(databases.read, orgId)
      return {
        items: webhooks.flatMap(({ name, active, events }) => (active && events.includes(tapDelivery) ? [name] : [])),
      }
    },

    listEvents: async () => ({ items: describedEvents() }),

    createWebhook: (caller, { body: { name, url, ...chosen } }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const known = await listWebhooks(db, orgId)
        if (known.some(one => one.name === name))
          throw webhookErrors.NAME_TAKEN({ fields: ['body.name'], params: { name } })
        if (known.length >= webhookLimits.webhooks)
          throw webhookErrors.TOO_MANY({ params: { limit: webhookLimits.webhooks } })
        const { filter = null, headers = {}, format = 'standard' } = chosen
        requireOfFormat(format, chosen)
        const isMeta = format === 'meta'
        const { events = isMeta ? [] : [tapDelivery], verifyToken = isMeta ? newAppSecret() : null } = chosen
        const secret = isMeta ? newAppSecret() : newSecret()
        const now = isoNow(clock)
        const webhook: StoredWebhook = {
          name,
          url: addressOf(url, parts),
          events,
          filter,
          format,
          active: true,
          stoppedFor: null,
          sealed: vault.encrypt(secret, placeOf.secret(orgId, name)),
          former: null,
          headers: sealHeaders(orgId, name, headers),
          verifyToken: sealToken(orgId, name, verifyToken),
          createdAt: now,
          changedAt: now,
          changedBy: caller.name,
        }
        await saveWebhook(db, orgId, webhook)
        listening.changed(write)
        if (isMeta) await deliveries.sendHandshake(write, name)
        return { webhook: await present(db, orgId, webhook), secret, verifyToken }
      }),

    changeWebhook: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const before = await requireWebhook(db, orgId, params.name)
        requireOfFormat(before.format, body)
        const { active = before.active, events = before.events, filter = before.filter } = body
        const after: StoredWebhook = {
          ...before,
          active,
          events,
          filter,
          url: body.url === undefined ? before.url : addressOf(body.url, parts),
          headers: body.headers === undefined ? before.headers : sealHeaders(orgId, before.name, body.headers),
          verifyToken:
            body.verifyToken === undefined ? before.verifyToken : sealToken(orgId, before.name, body.verifyToken),
          stoppedFor: active ? null : before.stoppedFor,
          changedAt: isoNow(clock),
          changedBy: caller.name,
        }
        await saveWebhook(db, orgId, after)
        listening.changed(write)
        const isElsewhere = after.url !== before.url || body.verifyToken !== undefined || !before.active
        if (after.format === 'meta' && active && isElsewhere) await deliveries.sendHandshake(write, after.name)
        return present(db, orgId, after)
      }),

    replaceSecret: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        const before = await requireWebhook(db, orgId, params.name)
        const secret = before.format === 'meta' ? newAppSecret() : newSecret()
        await saveWebhook(db, orgId, {
          ...before,
          sealed: vault.encrypt(secret, placeOf.secret(orgId, before.name)),
          former: before.format === 'meta' ? null : { sealed: before.sealed, until: isoIn(clock, bothSecretsMs) },
          changedAt: isoNow(clock),
          changedBy: caller.name,
        })
        return { secret }
      }),

    deleteWebhook: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const { name } = await requireWebhook(db, orgId, params.name)
        await deleteWebhook(db, orgId, name)
        listening.changed(write)
        await deliveries.forget(write, name)
        return { success: true }
      }),

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

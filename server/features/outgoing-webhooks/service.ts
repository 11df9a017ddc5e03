import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import {
  type outgoingWebhooksApi,
  tapDelivery,
  type WebhookFilter,
  type WebhookFormat,
  webhookLimits,
} from '#shared/outgoing-webhooks/api.ts'
import type { Deliveries } from './deliveries.ts'
import { createDeliveryCalls } from './delivery-calls.ts'
import { webhookErrors } from './errors.ts'
import { describedEvents } from './kinds/described.ts'
import type { ListeningWebhooks } from './listening.ts'
import { createWebhookPresenting } from './presenting.ts'
import { sealContexts, sealHeaders, sealToken } from './sealed.ts'
import { newAppSecret, newSecret } from './signature.ts'
import { deleteWebhook, listWebhooks, requireWebhook, type StoredWebhook, saveWebhook } from './webhook-store.ts'

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
const addressOf = (typed: string, outbound: Pick<Outbound, 'mayCall'>): string => {
  const url = typed.trim()
  if (!outbound.mayCall(url)) throw new InvalidInput([{ field: 'body.url', code: 'invalid', params: {} }])
  return url
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

/** Answers the calls of owners, admins and developers. */
export function createWebhookService(parts: ServiceParts): ServiceOf<typeof outgoingWebhooksApi, OrgCaller> {
  const { databases, clock, vault, writes, deliveries, listening, outbound } = parts
  const presenting = createWebhookPresenting(vault, clock)

  return {
    ...createDeliveryCalls(parts),

    async listWebhooks({ orgId }) {
      const db = databases.read
      return { items: await presenting.presentAll(db, orgId, await listWebhooks(db, orgId)) }
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
          url: addressOf(url, outbound),
          events,
          filter,
          format,
          active: true,
          stoppedFor: null,
          sealed: vault.encrypt(secret, sealContexts.secret(orgId, name)),
          former: null,
          headers: sealHeaders(vault, orgId, name, headers),
          verifyToken: sealToken(vault, orgId, name, verifyToken),
          createdAt: now,
          changedAt: now,
          changedBy: caller.name,
        }
        await saveWebhook(db, orgId, webhook)
        listening.changed(write)
        if (isMeta) await deliveries.sendHandshake(write, name)
        return { webhook: await presenting.present(db, orgId, webhook), secret, verifyToken }
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
          url: body.url === undefined ? before.url : addressOf(body.url, outbound),
          headers: body.headers === undefined ? before.headers : sealHeaders(vault, orgId, before.name, body.headers),
          verifyToken:
            body.verifyToken === undefined
              ? before.verifyToken
              : sealToken(vault, orgId, before.name, body.verifyToken),
          stoppedFor: active ? null : before.stoppedFor,
          changedAt: isoNow(clock),
          changedBy: caller.name,
        }
        await saveWebhook(db, orgId, after)
        listening.changed(write)
        const isNewReceiver = after.url !== before.url || body.verifyToken !== undefined || !before.active
        if (after.format === 'meta' && active && isNewReceiver) await deliveries.sendHandshake(write, after.name)
        return presenting.present(db, orgId, after)
      }),

    replaceSecret: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        const before = await requireWebhook(db, orgId, params.name)
        const secret = before.format === 'meta' ? newAppSecret() : newSecret()
        await saveWebhook(db, orgId, {
          ...before,
          sealed: vault.encrypt(secret, sealContexts.secret(orgId, before.name)),
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
  }
}

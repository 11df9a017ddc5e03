import { Type } from 'typebox'
import webPush from 'web-push'
import { scopeBy, sees } from '#server/identity/visibility/scope.ts'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { everyOther } from '#server/platform/events/listener-order.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Person } from '#server/platform/http/actor.ts'
import type { Job, Outcome as JobOutcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import { notificationEventPrefix } from '#shared/notifications/api.ts'
import type { PushPayload, pushApi } from '#shared/notifications/push.ts'
import { isOutboundAddress } from '#shared/outbound/address.ts'
import { pushErrors } from './errors.ts'
import { openKeys, type VapidKeys } from './keys.ts'
import {
  type Delivery,
  deleteSubscription,
  findDeliveries,
  listBrowsers,
  saveSubscription,
  trimSubscriptions,
} from './store.ts'

interface PushParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly jobs: Jobs
  readonly vault: Vault
  readonly scopes: Pick<Scopes, 'readLimits' | 'readFacts'>
  ids(at?: number): string
  readonly outbound: Outbound
  translate(language: Language, key: string, params?: Record<string, string | number>): string
  /** The contact for this installation, `mailto:` or https. @see RFC 8292 §2.1 */
  readonly subject: string
}

export interface Push {
  readonly service: ServiceOf<typeof pushApi, Person>
  /** Queues a message for each browser of the notified people, sent after a moment unless it was read. */
  readonly listener: TransactionListener<'notification.raised'>
  /** Makes the keys on the first start. */
  start(): void
}

/** A person with an open tab has read it by then. */
export const pushDelayMs = 8_000
/** An older notification is not worth a push message. */
export const pushTtlMs = 4 * 60 * 60 * 1000
export const maxSubscriptions = 20
const callTimeoutMs = 15_000
const waitsMs = [30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000] as const
const longestWaitMs = 60 * 60_000
const callsAtOnce = 64
/** A few slow browsers must not block the whole organization. */
const callsPerOrg = 32
const callsPerPerson = 4

const PushJob = Type.Object({ notificationId: Type.String(), subscriptionId: Type.String() })
type PushJob = { notificationId: string; subscriptionId: string }

type Answer =
  | { kind: 'done' }
  | { kind: 'gone' }
  | { kind: 'dropped'; status: number }
  | { kind: 'later'; afterMs: number }

const maxEndpointChars = 1024
const isPushEndpoint = (endpoint: string) => endpoint.length <= maxEndpointChars && isOutboundAddress(endpoint)

/** `Retry-After` in seconds or as a date. Undefined: invalid. */
const askedMs = (header: string | null, now: number): number | undefined => {
  if (!header) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(0, Math.min(ms, longestWaitMs)) : undefined
}

/** The meaning of a push service's answer. @see RFC 8030 §5, §7.3 */
export const outcomeOf = (status: number, retryAfter: string | null, attempts: number, now: number): Answer => {
  if (status >= 200 && status < 300) return { kind: 'done' }
  // 401 and 403: the subscription belongs to another key pair and will never accept ours.
  if ([401, 403, 404, 410].includes(status)) return { kind: 'gone' }
  const wait = waitsMs[attempts]
  if (wait !== undefined && (status === 429 || status >= 500 || status === 0))
    return { kind: 'later', afterMs: Math.max(wait, askedMs(retryAfter, now) ?? 0) }
  return { kind: 'dropped', status }
}

/** Push messages for closed tabs: a job per browser, retried while the notification is recent. */
export function createPush(parts: PushParts): Push {
  const { databases, clock, log, ids, jobs, scopes, subject } = parts
  let keys: Promise<VapidKeys> | undefined

  const ownKeys = (): Promise<VapidKeys> => {
    keys ??= openKeys(parts).catch(error => {
      keys = undefined
      throw error
    })
    return keys
  }

  const call = async (job: Job<PushJob>, due: Delivery, vapid: VapidKeys, signal: AbortSignal): Promise<Answer> => {
    const payload: PushPayload = {
      id: notificationEventPrefix + job.payload.notificationId,
      org: due.orgSlug,
      title: due.words
        ? parts.translate(due.language, `notices:${due.words.key}.title`, due.words.params)
        : due.oldTitle,
    }
    const leftMs = Date.parse(job.addedAt) + pushTtlMs - clock.now().getTime()
    const { headers, body, endpoint } = webPush.generateRequestDetails(due.subscription, JSON.stringify(payload), {
      vapidDetails: { subject, ...vapid },
      TTL: Math.max(0, Math.floor(leftMs / 1000)),
      urgency: 'high',
    })
    let status = 0
    let retryAfter: string | null = null
    try {
      const answer = await parts.outbound.call(endpoint, {
        method: 'POST',
        headers: Object.fromEntries(Object.entries(headers as object).map(([name, value]) => [name, String(value)])),
        body: new Uint8Array(body as Buffer),
        timeoutMs: callTimeoutMs,
        maxBytes: 0,
        signal,
      })
      status = answer.status
      retryAfter = answer.headers.get('retry-after')
    } catch (error) {
      log.debug({ err: error, host: new URL(endpoint).hostname }, 'a push service did not answer')
    }
    return outcomeOf(status, retryAfter, job.attempts - 1, clock.now().getTime())
  }

  const forgetBrowser = (id: string): JobOutcome => ({
    kind: 'done',
    write: ({ db }) => deleteSubscription(db, { id }),
  })

  const send = async (job: Job<PushJob>, due: Delivery, signal: AbortSignal): Promise<JobOutcome> => {
    const vapid = await ownKeys()
    let answer: Answer
    try {
      answer = await call(job, due, vapid, signal)
    } catch (error) {
      log.warn({ err: error }, 'a push message cannot be made for a browser')
      answer = { kind: 'gone' }
    }
    if (answer.kind === 'gone') return forgetBrowser(job.payload.subscriptionId)
    if (answer.kind === 'later' && signal.aborted) return { kind: 'released' }
    if (answer.kind === 'dropped')
      log.warn({ status: answer.status, attempts: job.attempts }, 'a push message was given up')
    if (answer.kind !== 'later') return { kind: 'done' }
    const isLate = clock.now().getTime() + answer.afterMs >= Date.parse(job.addedAt) + pushTtlMs
    return isLate ? { kind: 'done' } : { kind: 'retry', afterMs: answer.afterMs, reason: 'NOT_TAKEN', letsPass: true }
  }

  /** A person may no longer see the conversation by now. */
  const seenNow = async (db: Db, orgId: string, deliveries: readonly Delivery[]) => {
    const ids = [...new Set(deliveries.flatMap(({ conversationId }) => conversationId ?? []))]
    const limits = ids.length ? await scopes.readLimits(orgId, db) : null
    if (!limits) return () => true
    const facts = await scopes.readFacts(orgId, ids, db)
    return ({ role, userId, conversationId }: Delivery) =>
      conversationId === null ||
      sees(scopeBy(limits, { role: effectiveRole(role), personId: userId }), facts.get(conversationId))
  }

  const queue = jobs.register<typeof PushJob, Delivery>({
    name: 'push',
    looksWithinMs: longestWaitMs,
    payload: PushJob,
    atOnce: callsAtOnce,
    perOrg: callsPerOrg,
    perKey: callsPerPerson,
    isKept: false,
    async claimed({ db }, claimed) {
      const now = isoNow(clock)
      const oldest = isoIn(clock, -pushTtlMs)
      const payloads = claimed.map(job => job.payload)
      const found = await findDeliveries(db, payloads, now)
      const wanted = new Map<number, { ready: Delivery }>()
      for (const [orgId, jobs] of Map.groupBy(claimed, job => job.orgId)) {
        const due = jobs.flatMap(job => {
          const ready = found(orgId, job.payload)
          return ready?.isWanted && job.addedAt > oldest ? [{ seq: job.seq, ready }] : []
        })
        const isSeen = await seenNow(
          db,
          orgId,
          due.map(({ ready }) => ready),
        )
        for (const { seq, ready } of due) if (isSeen(ready)) wanted.set(seq, { ready })
      }
      return new Map(claimed.map(({ seq }) => [seq, wanted.get(seq) ?? { over: { kind: 'done' } }]))
    },
    run: async (job, { ready, signal }) => (ready ? send(job, ready, signal) : undefined),
  })

  return {
    service: {
      getKey: async () => ({ key: (await ownKeys()).publicKey }),
      /** @throws PUSH_ENDPOINT_REFUSED, PUSH_KEYS_REFUSED */
      async subscribe({ userId, sessionId, language }, { body }) {
        if (!isPushEndpoint(body.endpoint)) throw pushErrors.ENDPOINT_REFUSED({ fields: ['body.endpoint'] })
        // An uncompressed point of P-256 begins with 4. @see RFC 8291 §2.1
        const point = Buffer.from(body.keys.p256dh, 'base64url')
        if (point.length !== 65 || point[0] !== 4) throw pushErrors.KEYS_REFUSED({ fields: ['body.keys.p256dh'] })
        await ownKeys()
        await inTransaction(databases, async trx => {
          const isNews = await saveSubscription(trx, { userId, sessionId, language }, body, {
            id: ids(),
            at: isoNow(clock),
          })
          if (isNews) await trimSubscriptions(trx, userId, maxSubscriptions)
        })
        return { subscribed: true }
      },
      async unsubscribe({ userId }, { body }) {
        await inTransaction(databases, trx => deleteSubscription(trx, { userId, endpoint: body.endpoint }))
        return { subscribed: false }
      },
    },
    listener: {
      name: 'push',
      on: ['notification.raised'],
      after: [everyOther],
      async handle({ db, orgId, afterCommit }, events) {
        const news = new Map(events.flatMap(({ data }) => (data.push ? [[data.userId, data.id] as const] : [])))
        const browsers = await listBrowsers(db, [...news.keys()], {})
        const dueAt = isoIn(clock, pushDelayMs)
        const added = browsers.map(({ id, userId }) => {
          const payload = { notificationId: news.get(userId) as string, subscriptionId: id }
          const uniqueKey = `${payload.notificationId} ${id}`
          return { payload, uniqueKey, orderKey: `browser ${id}`, paceKey: userId, dueAt }
        })
        if (added.length && (await queue.add(db, orgId, added))) afterCommit(queue.wake)
      },
    },
    start() {
      ownKeys().catch(error => log.error({ err: error }, 'there are no push keys yet'))
    },
  }
}

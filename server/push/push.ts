import webPush from 'web-push'
import type { ServiceOf } from '#shared/contract.ts'
import type { Language } from '#shared/language.ts'
import { notificationEventPrefix } from '#shared/notifications.ts'
import type { PushPayload, pushApi } from '#shared/push.ts'
import type { Person } from '../actor.ts'
import { type Clock, isoIn, isoNow, monotonicMs } from '../clock.ts'
import { type Databases, inTransaction } from '../db.ts'
import type { TransactionListener } from '../events/listeners.ts'
import type { Log } from '../log.ts'
import type { Vault } from '../secrets.ts'
import { isPushEndpoint } from './address.ts'
import { pushErrors } from './errors.ts'
import { openKeys, type VapidKeys } from './keys.ts'
import {
  type DueDelivery,
  deleteDeliveries,
  deleteSubscription,
  insertDeliveries,
  listDue,
  nextDueAt,
  putOffDelivery,
  saveSubscription,
  takeDeliveries,
  trimSubscriptions,
} from './store.ts'

export interface PushParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly vault: Vault
  ids(at?: number): string
  /** The network; in production only towards public addresses. */
  readonly fetch: typeof fetch
  translate(language: Language, key: string, params?: Record<string, string | number>): string
  /** Who answers for this installation, `mailto:` or https. @see RFC 8292 §2.1 */
  readonly subject: string
}

export interface Push {
  readonly service: ServiceOf<typeof pushApi, Person>
  /** Queues a message for each browser of whoever is told and wants it there, sent after a moment unless read by then. */
  readonly listener: TransactionListener<'notification.told'>
  /** Since when the message that waits longest is due; undefined: none is. For health. */
  oldestDue(): Promise<string | undefined>
  /** Makes the keys on the first start, and sends what an earlier process left. */
  start(): void
  /** Takes no more work and waits for the calls in flight. */
  stop(): Promise<void>
  /** Resolves when nothing that is due is under way. For tests. */
  idle(): Promise<void>
}

/** Whoever sits in front of an open tab has read it by then. */
export const pushDelayMs = 8_000
/** After this a notification is history, not news. */
export const pushTtlMs = 4 * 60 * 60 * 1000
export const maxSubscriptions = 20
const callTimeoutMs = 15_000
/** Longer than a call can take: rows of a process that died are tried again after it. */
const leaseMs = 60_000
const waitsMs = [30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000] as const
const longestWaitMs = 60 * 60_000
const rowsPerRound = 16
const longestSleepMs = 60_000
const troubleMs = 5_000

type Outcome =
  | { kind: 'done' }
  | { kind: 'gone' }
  | { kind: 'dropped'; status: number }
  | { kind: 'later'; afterMs: number }

/** `Retry-After` in seconds or as a date; undefined when it says nothing. */
const askedMs = (header: string | null, now: number): number | undefined => {
  if (!header) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(0, Math.min(ms, longestWaitMs)) : undefined
}

/** What a push service's answer means. @see RFC 8030 §5, §7.3 */
export const outcomeOf = (status: number, retryAfter: string | null, attempts: number, now: number): Outcome => {
  if (status >= 200 && status < 300) return { kind: 'done' }
  // 401 and 403: it was made for another key pair, and will never take ours.
  if ([401, 403, 404, 410].includes(status)) return { kind: 'gone' }
  const wait = waitsMs[attempts]
  if (wait !== undefined && (status === 429 || status >= 500 || status === 0))
    return { kind: 'later', afterMs: Math.max(wait, askedMs(retryAfter, now) ?? 0) }
  return { kind: 'dropped', status }
}

/** Notifications for closed tabs: a row per browser, sent by Web Push, tried again while it is still news. */
export function createPush(parts: PushParts): Push {
  const { databases, clock, log, ids, subject } = parts
  let keys: Promise<VapidKeys> | undefined
  let timer: NodeJS.Timeout | undefined
  let wakeAt = Number.POSITIVE_INFINITY
  let expectedAt = 0
  let running: Promise<void> | undefined
  let stopping = false
  let started = false
  const aborter = new AbortController()

  const ownKeys = (): Promise<VapidKeys> => {
    keys ??= openKeys(parts).catch(error => {
      keys = undefined
      throw error
    })
    return keys
  }

  const call = async (due: DueDelivery, vapid: VapidKeys): Promise<Outcome> => {
    const payload: PushPayload = {
      id: notificationEventPrefix + due.notificationId,
      org: due.orgSlug,
      title: due.words
        ? parts.translate(due.language, `notices:${due.words.key}.title`, due.words.params)
        : due.oldTitle,
    }
    const leftMs = Date.parse(due.createdAt) + pushTtlMs - clock.now().getTime()
    const { headers, body, endpoint } = webPush.generateRequestDetails(due.subscription, JSON.stringify(payload), {
      vapidDetails: { subject, ...vapid },
      TTL: Math.max(0, Math.floor(leftMs / 1000)),
      urgency: 'high',
    })
    let status = 0
    let retryAfter: string | null = null
    try {
      const response = await parts.fetch(endpoint, {
        method: 'POST',
        headers: Object.fromEntries(Object.entries(headers as object).map(([name, value]) => [name, String(value)])),
        body: new Uint8Array(body as Buffer),
        redirect: 'manual',
        signal: AbortSignal.any([aborter.signal, AbortSignal.timeout(callTimeoutMs)]),
      })
      status = response.status
      retryAfter = response.headers.get('retry-after')
      // A body nobody reads would hold its socket; a fault while letting go of it changes nothing.
      await response.body?.cancel().catch(() => undefined)
    } catch (error) {
      log.debug({ err: error, host: new URL(endpoint).hostname }, 'a push service did not answer')
    }
    return outcomeOf(status, retryAfter, due.attempts, clock.now().getTime())
  }

  const send = async (due: DueDelivery, vapid: VapidKeys): Promise<void> => {
    let outcome: Outcome
    try {
      outcome = await call(due, vapid)
    } catch (error) {
      log.warn({ err: error }, 'a push message cannot be made for a browser')
      outcome = { kind: 'gone' }
    }
    if (stopping && outcome.kind === 'later') return
    const now = clock.now().getTime()
    const isLate = outcome.kind === 'later' && now + outcome.afterMs >= Date.parse(due.createdAt) + pushTtlMs
    await inTransaction(databases, async trx => {
      if (outcome.kind === 'gone') await deleteSubscription(trx, { id: due.subscriptionId })
      else if (outcome.kind === 'later' && !isLate) await putOffDelivery(trx, due.seq, isoIn(clock, outcome.afterMs))
      else await deleteDeliveries(trx, [due.seq])
    })
    if (outcome.kind === 'dropped')
      log.warn({ status: outcome.status, attempts: due.attempts + 1 }, 'a push message was given up')
  }

  /** True: there was something to do. */
  const round = async (): Promise<boolean> => {
    const now = isoNow(clock)
    const due = await listDue(databases.read, now, rowsPerRound)
    if (!due.length) return false
    const oldest = new Date(clock.now().getTime() - pushTtlMs).toISOString()
    const wanted = due.filter(one => one.isWanted && one.createdAt > oldest)
    const unwanted = due.filter(one => !wanted.includes(one))
    await inTransaction(databases, async trx => {
      await deleteDeliveries(
        trx,
        unwanted.map(one => one.seq),
      )
      await takeDeliveries(
        trx,
        wanted.map(one => one.seq),
        isoIn(clock, leaseMs),
      )
    })
    if (!wanted.length) return true
    const vapid = await ownKeys()
    await Promise.all(wanted.map(one => send(one, vapid)))
    return true
  }

  const work = async () => {
    let sleepMs = longestSleepMs
    try {
      while (!stopping && (await round()));
      const next = await nextDueAt(databases.read)
      if (next) sleepMs = Math.min(longestSleepMs, Math.max(0, Date.parse(next) - clock.now().getTime()))
    } catch (error) {
      log.error({ err: error }, 'push messages could not be sent')
      sleepMs = troubleMs
    }
    const expectedMs = expectedAt - monotonicMs()
    wakeIn(expectedMs > 0 ? Math.min(sleepMs, expectedMs) : sleepMs)
  }
  const run = (): Promise<void> => {
    clearTimeout(timer)
    wakeAt = Number.POSITIVE_INFINITY
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
  /** Never later than was already meant. */
  const wakeIn = (ms: number) => {
    const at = monotonicMs() + ms
    if (!started || stopping || at >= wakeAt) return
    clearTimeout(timer)
    wakeAt = at
    timer = setTimeout(() => void run(), ms)
    timer.unref()
  }

  /** A round under way must not overlook what was committed meanwhile. */
  const expect = () => {
    expectedAt = monotonicMs() + pushDelayMs + 50
    if (!running) wakeIn(pushDelayMs + 50)
  }

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
      on: ['notification.told'],
      async handle({ db, orgId, afterCommit }, events) {
        const news = events.flatMap(({ data }) => (data.push ? [data] : []))
        if (!news.length) return
        const times = { at: isoNow(clock), dueAt: isoIn(clock, pushDelayMs) }
        if (await insertDeliveries(db, orgId, news, times)) afterCommit(expect)
      },
    },
    async oldestDue() {
      const at = await nextDueAt(databases.read)
      return at !== undefined && at <= isoNow(clock) ? at : undefined
    },
    start() {
      started = true
      ownKeys().catch(error => log.error({ err: error }, 'there are no push keys yet'))
      void run()
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      aborter.abort()
      await running
    },
    idle: () => run(),
  }
}

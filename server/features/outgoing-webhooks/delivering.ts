import { Type } from 'typebox'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { handshakeDelivery, type StopReason } from '#shared/outgoing-webhooks/api.ts'
import { type AttemptParts, createAttempt } from './attempt.ts'
import { findDelivery, hasTakenAfter, noteAttempt, type StoredDelivery } from './delivery-store.ts'
import type { ListeningWebhooks } from './listening.ts'
import { findWebhook, stopWebhook } from './webhook-store.ts'

interface DeliveringParts extends AttemptParts {
  readonly databases: Databases
  readonly jobs: Pick<Jobs, 'register' | 'rest'>
  readonly listening: Pick<ListeningWebhooks, 'changed'>
}

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
/** Pauses after each failed attempt; a day in total. */
const gapsMs = [
  ...[5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs],
  ...[hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs, 8 * hourMs],
]
const goneStatus = 410
/** A webhook that does not answer in time gets nothing else for this long. */
const restAfterTimeoutMs = 5 * secondMs

/** The next attempt of a waiting delivery is due at this time. */
export const nextAttemptAt = ({
  attempts,
  attempted_at,
  created_at,
}: Pick<StoredDelivery, 'attempts' | 'attempted_at' | 'created_at'>): string => {
  const gap = attempts === 0 ? 0 : (gapsMs[Math.min(attempts, gapsMs.length) - 1] ?? 0)
  return new Date(Date.parse(attempted_at ?? created_at) + gap).toISOString()
}

/** A delivery to queue. `line`: those of a webhook with the same line are sent in order. */
type Queued = Pick<StoredDelivery, 'id' | 'webhook' | 'line'>

const paceKeyOf = (webhook: string) => `webhook ${webhook}`
const Deliver = Type.Object({ deliveryId: Type.String() })

/**
 * Deliveries to other programs, as jobs: each attempt is recorded, and failed ones are retried for a day. Each webhook
 * has places of its own (`perKey`), and an organization has enough for all of its webhooks, so one that does not answer
 * delays no other.
 */
export function createDelivering(parts: DeliveringParts) {
  const { databases, clock, jobs, listening } = parts
  const attempt = createAttempt(parts)

  const stop = async (write: OrgWrite, name: string, reason: StopReason) => {
    if (!(await stopWebhook(write.db, write.orgId, name, reason))) return
    listening.changed(write)
    write.emit({ type: 'outgoingWebhook.stopped', data: { name, reason } })
  }

  const queue = jobs.register({
    name: 'outgoing.delivery',
    looksWithinMs: Math.max(...gapsMs),
    payload: Deliver,
    lane: 'bot',
    // The lane has three quarters of these: 6 for a webhook, 120 for the 20 webhooks of an organization.
    atOnce: 320,
    perOrg: 160,
    perKey: 8,
    leavesSlots: true,
    isKept: false,
    endsTogether: true,
    hasGrace: true,
    async run({ orgId, payload, attempts }, { signal }): Promise<Outcome> {
      const delivery = await findDelivery(databases.read, orgId, payload.deliveryId)
      if (delivery?.state !== 'waiting') return { kind: 'done' }
      const webhook = await findWebhook(databases.read, orgId, delivery.webhook)
      // Deleted, or replaced by another of that name.
      if (!webhook || webhook.createdAt > delivery.created_at) return { kind: 'done' }
      if (!webhook.active) {
        const never = { status: null, answer: null, tookMs: null, at: isoNow(clock) }
        return {
          kind: 'done',
          write: ({ of }) =>
            noteAttempt(of(orgId).db, orgId, delivery.id, { ...never, state: 'failed', failure: 'inactive' }),
        }
      }
      const { restMs = 0, ...made } = await attempt(orgId, webhook, delivery, signal)
      // The process ends. Another one makes the attempt.
      if (signal.aborted && made.failure !== null) return { kind: 'retry', reason: 'stopped', afterMs: 0 }
      const isGone = made.status === goneStatus
      // A person waits to see whether the handshake works.
      const isHandshake = delivery.type === handshakeDelivery
      const isLast = isGone || isHandshake || attempts > gapsMs.length
      const state = made.failure === null ? 'delivered' : isLast ? 'failed' : 'waiting'
      const afterMs = Math.max(gapsMs[attempts - 1] ?? hourMs, restMs)
      const pauseMs = Math.max(restMs, made.failure === 'timeout' ? restAfterTimeoutMs : 0)
      return {
        ...(state === 'waiting' ? { kind: 'retry', reason: made.failure ?? 'status', afterMs } : { kind: 'done' }),
        write: async ({ of }) => {
          const write = of(orgId)
          await noteAttempt(write.db, orgId, delivery.id, { ...made, state })
          if (pauseMs > 0) await jobs.rest(write.db, orgId, paceKeyOf(webhook.name), pauseMs)
          if (state !== 'failed') return
          const reason = isGone ? 'gone' : isHandshake ? 'handshake' : 'failing'
          // If later deliveries succeeded, this failure says nothing about the address.
          if (reason !== 'failing' || !(await hasTakenAfter(write.db, orgId, delivery)))
            await stop(write, webhook.name, reason)
        },
      }
    },
    // It may have arrived. The receiver recognizes the same id.
    lost: () => ({ kind: 'retry', reason: 'lost', afterMs: gapsMs[0] ?? 0 }),
  })

  const jobOf = ({ id, webhook, line }: Queued) => ({
    payload: { deliveryId: id },
    uniqueKey: id,
    paceKey: paceKeyOf(webhook),
    ...(line === null ? {} : { orderKey: `webhook ${webhook} ${line}` }),
  })

  return {
    /** Queues stored deliveries, in the caller's transaction. */
    async add(write: OrgWrite, deliveries: readonly Queued[]): Promise<void> {
      await queue.add(write.db, write.orgId, deliveries.map(jobOf))
      write.afterCommit(queue.wake)
    },
    /** Queues deliveries from the first attempt on, replacing jobs that may be queued already. */
    async addAgain(write: OrgWrite, deliveries: readonly Queued[]): Promise<void> {
      await queue.cancel(
        write.db,
        write.orgId,
        deliveries.map(({ id }) => id),
      )
      await this.add(write, deliveries)
    },
  }
}
export type Delivering = ReturnType<typeof createDelivering>

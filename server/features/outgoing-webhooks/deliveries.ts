import { Type } from 'typebox'
import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Outbound, OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { goodText } from '#server/platform/text/good-text.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { DeliveryFailure } from '#shared/outgoing-webhooks/api.ts'
import {
  type Attempt,
  deleteDeliveries,
  findDelivery,
  hasTakenAfter,
  insertDelivery,
  noteAttempt,
  type StoredDelivery,
  setState,
} from './delivery-store.ts'
import { signedHeaders } from './signature.ts'
import { findWebhook, type StoredWebhook, stopWebhook } from './webhook-store.ts'

interface DeliveryParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly vault: Pick<Vault, 'decrypt'>
  readonly jobs: Pick<Jobs, 'register'>
  readonly outbound: Outbound
  readonly writes: Pick<Writes, 'run'>
}

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
/** Pauses after each failed attempt; a day in total. */
const gapsMs = [
  ...[5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs],
  ...[hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs, 8 * hourMs],
]
const timeoutMs = 15 * secondMs
/** Stored bytes of an answer. Its status decides whether it was accepted. */
const keptBytes = 4096
const goneStatus = 410

const failures: Partial<Record<OutboundFailure['reason'], DeliveryFailure>> = {
  address: 'address',
  private: 'address',
  redirects: 'address',
  timeout: 'timeout',
}

/** The encrypted secret can only be decrypted in its own row. */
export const placeOfSecret = (orgId: string, name: string) => `outgoing_webhook.sealed:${orgId}/${name}`

export const sealedWebhookSecrets: EncryptedColumn = {
  table: 'outgoing_webhook',
  key: ['org_id', 'name'],
  column: 'sealed',
  placeOf: placeOfSecret,
}

/** When the next attempt of a waiting delivery is due. */
export const nextAttemptAt = ({ attempts, attempted_at, created_at }: StoredDelivery): string => {
  const gap = attempts === 0 ? 0 : (gapsMs[Math.min(attempts, gapsMs.length) - 1] ?? 0)
  return new Date(Date.parse(attempted_at ?? created_at) + gap).toISOString()
}

const deletedAtOnce = 500
const Gone = Type.Object({ webhook: Type.String(), until: Type.String() })
const Deliver = Type.Object({ deliveryId: Type.String() })

/** Deliveries to other programs, as jobs: each attempt is recorded, and failed ones are retried for a day. */
export function createDeliveries({ databases, clock, ids, vault, jobs, outbound, writes }: DeliveryParts) {
  const attempt = async (
    orgId: string,
    webhook: StoredWebhook,
    delivery: StoredDelivery,
    signal: AbortSignal,
  ): Promise<Omit<Attempt, 'state'>> => {
    const began = clock.now()
    const none = { at: began.toISOString(), status: null, answer: null, tookMs: null }
    let secret: string
    try {
      secret = vault.decrypt(webhook.sealed, placeOfSecret(orgId, webhook.name))
    } catch {
      return { ...none, failure: 'secret' }
    }
    const took = () => Math.max(0, clock.now().getTime() - began.getTime())
    const { id, body } = delivery
    const signed = signedHeaders(secret, { id, atSeconds: Math.floor(began.getTime() / 1000), body })
    try {
      const answer = await outbound.call(webhook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Recado', ...signed },
        ...{ body, timeoutMs, maxBytes: keptBytes, isCut: true, signal },
      })
      const { status } = answer
      const text = goodText(answer.body.toString('utf8'))
      const isTaken = status >= 200 && status < 300
      return { at: none.at, status, failure: isTaken ? null : 'status', answer: text, tookMs: took() }
    } catch (error) {
      const reason = error instanceof OutboundFailure ? failures[error.reason] : undefined
      return { ...none, failure: reason ?? 'network', tookMs: took() }
    }
  }

  const stop = async (write: OrgWrite, name: string, reason: 'failing' | 'gone') => {
    if (await stopWebhook(write.db, write.orgId, name, reason))
      write.emit({ type: 'outgoingWebhook.stopped', data: { name, reason } })
  }

  const queue = jobs.register({
    name: 'outgoing.delivery',
    looksWithinMs: Math.max(...gapsMs),
    payload: Deliver,
    lane: 'bot',
    atOnce: 32,
    perOrg: 8,
    perKey: 4,
    isKept: false,
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
      const made = await attempt(orgId, webhook, delivery, signal)
      // The process ends. Another one makes the attempt.
      if (signal.aborted && made.failure !== null) return { kind: 'retry', reason: 'stopped', afterMs: 0 }
      const isGone = made.status === goneStatus
      const isLast = isGone || attempts > gapsMs.length
      const state = made.failure === null ? 'delivered' : isLast ? 'failed' : 'waiting'
      return {
        ...(state === 'waiting'
          ? { kind: 'retry', reason: made.failure ?? 'status', afterMs: gapsMs[attempts - 1] ?? hourMs }
          : { kind: 'done' }),
        write: async ({ of }) => {
          const write = of(orgId)
          await noteAttempt(write.db, orgId, delivery.id, { ...made, state })
          if (state !== 'failed') return
          // If later deliveries succeeded, this failure says nothing about the address.
          if (isGone || !(await hasTakenAfter(write.db, orgId, delivery)))
            await stop(write, webhook.name, isGone ? 'gone' : 'failing')
        },
      }
    },
    // It may have arrived. The receiver recognizes the same id.
    lost: () => ({ kind: 'retry', reason: 'lost', afterMs: gapsMs[0] ?? 0 }),
  })

  const gone = jobs.register({
    name: 'outgoing.gone',
    looksWithinMs: longestGapMs,
    payload: Gone,
    lane: 'bulk',
    atOnce: 1,
    isKept: false,
    async run({ orgId, payload }): Promise<Outcome> {
      const count = await writes.run(orgId, systemActor('webhooks'), ({ db }) =>
        deleteDeliveries(db, orgId, { ...payload, limit: deletedAtOnce }),
      )
      return count < deletedAtOnce ? { kind: 'done' } : { kind: 'again', afterMs: 0 }
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  const add = async (write: OrgWrite, { id, webhook }: Pick<StoredDelivery, 'id' | 'webhook'>) => {
    const { db, orgId } = write
    await queue.cancel(db, orgId, [id])
    await queue.add(db, orgId, [{ payload: { deliveryId: id }, uniqueKey: id, paceKey: webhook }])
    write.afterCommit(queue.wake)
  }

  return {
    /**
     * Queues a delivery, in the caller's transaction. Undefined: there is no webhook of that name, or it is inactive.
     */
    async send(
      write: OrgWrite,
      webhook: string,
      { type, data }: { type: string; data: object },
    ): Promise<StoredDelivery | undefined> {
      const { db, orgId } = write
      if (!(await findWebhook(db, orgId, webhook))?.active) return undefined
      const createdAt = isoNow(clock)
      const id = ids(clock.now().getTime())
      const body = JSON.stringify({ type, timestamp: createdAt, data })
      const delivery = await insertDelivery(db, orgId, { id, webhook, type, body, createdAt })
      await add(write, delivery)
      return delivery
    },
    /** Deletes a removed webhook's deliveries in batches. */
    async forget(write: OrgWrite, webhook: string): Promise<void> {
      const { db, orgId } = write
      await gone.add(db, orgId, [{ payload: { webhook, until: isoNow(clock) } }])
      write.afterCommit(gone.wake)
    },
    /** Starts over with the first attempt. */
    async sendAgain(write: OrgWrite, delivery: StoredDelivery): Promise<void> {
      await setState(write.db, write.orgId, delivery.id, 'waiting')
      await add(write, delivery)
    },
  }
}
export type Deliveries = ReturnType<typeof createDeliveries>

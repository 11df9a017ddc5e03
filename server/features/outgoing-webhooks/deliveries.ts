import { type Static, Type } from 'typebox'
import { randomInt } from '#server/platform/crypto/random.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { JobQueue, Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { handshakeDelivery, webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import type { Delivering } from './delivering.ts'
import {
  countRange,
  deleteDeliveries,
  insertDeliveries,
  listRange,
  type Range,
  resetDeliveries,
  type StoredDelivery,
} from './delivery-store.ts'
import { insertEvents } from './event-store.ts'

interface DeliveryParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
  readonly delivering: Delivering
}

const rowsAtOnce = 500
const Gone = Type.Object({ webhook: Type.String(), until: Type.String() })
const Again = Type.Object({
  webhook: Type.String(),
  since: Type.String(),
  until: Type.String(),
  states: Type.Array(Type.Enum(['waiting', 'delivered', 'failed'])),
  after: Type.String(),
  left: Type.Integer(),
})

/** Deliveries of one webhook: those that are not made from events, repeated ones, and the end of all. */
export function createDeliveries({ databases, clock, ids, jobs, writes, delivering }: DeliveryParts) {
  const gone = jobs.register({
    name: 'outgoing.gone',
    looksWithinMs: longestGapMs,
    payload: Gone,
    lane: 'bulk',
    atOnce: 1,
    isKept: false,
    async run({ orgId, payload }): Promise<Outcome> {
      const count = await writes.run(orgId, systemActor('webhooks'), ({ db }) =>
        deleteDeliveries(db, orgId, { ...payload, limit: rowsAtOnce }),
      )
      return count < rowsAtOnce ? { kind: 'done' } : { kind: 'again', afterMs: 0 }
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  /** Each job repeats one batch and queues the next in the same commit, so that a crash repeats none twice. */
  const again: JobQueue<Static<typeof Again>> = jobs.register({
    name: 'outgoing.again',
    looksWithinMs: longestGapMs,
    payload: Again,
    lane: 'bulk',
    atOnce: 1,
    isKept: false,
    isWhole: true,
    async run({ orgId, payload }): Promise<Outcome> {
      const limit = Math.min(rowsAtOnce, payload.left)
      const found = await listRange(databases.read, orgId, { ...payload, limit })
      const last = found.at(-1)
      if (!last) return { kind: 'done' }
      return {
        kind: 'done',
        async write(all) {
          const write = all.of(orgId)
          await resetDeliveries(
            write.db,
            orgId,
            found.map(({ id }) => id),
          )
          await delivering.addAgain(write, found)
          const left = payload.left - found.length
          if (found.length === limit && left > 0) {
            await again.add(write.db, orgId, [{ payload: { ...payload, after: last.id, left } }])
            write.afterCommit(again.wake)
          }
        },
      }
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  const store = async (
    write: OrgWrite,
    webhook: string,
    { type, body, line }: Pick<StoredDelivery, 'type' | 'body' | 'line'>,
  ): Promise<StoredDelivery> => {
    const { db, orgId } = write
    const createdAt = isoNow(clock)
    const at = clock.now().getTime()
    const [id, eventId] = [ids(at), ids(at)]
    await insertEvents(db, orgId, [{ id: eventId, type, body, line }], createdAt)
    await insertDeliveries(db, orgId, [{ id, webhook, eventId, type }], createdAt)
    await delivering.add(write, [{ id, webhook, line }])
    return {
      id,
      org_id: orgId,
      webhook,
      event_id: eventId,
      type,
      body,
      line,
      state: 'waiting',
      attempts: 0,
      created_at: createdAt,
      attempted_at: null,
      status: null,
      failure: null,
      answer: null,
      took_ms: null,
    }
  }

  return {
    /** Stores and queues a delivery to one webhook, in the caller's transaction. */
    send(write: OrgWrite, webhook: string, { type, data }: { type: string; data: object }): Promise<StoredDelivery> {
      const body = JSON.stringify({ type, timestamp: isoNow(clock), data })
      return store(write, webhook, { type, body, line: null })
    },
    /** Queues Meta's handshake. Its token is added with the request, so that the log does not show it. */
    sendHandshake(write: OrgWrite, webhook: string): Promise<StoredDelivery> {
      const challenge = String(randomInt(1_000_000_000))
      const body = { 'hub.mode': 'subscribe', 'hub.challenge': challenge }
      return store(write, webhook, { type: handshakeDelivery, body: JSON.stringify(body), line: null })
    },
    /** Deletes a removed webhook's deliveries in batches. */
    async forget(write: OrgWrite, webhook: string): Promise<void> {
      const { db, orgId } = write
      await gone.add(db, orgId, [{ payload: { webhook, until: isoNow(clock) } }])
      write.afterCommit(gone.wake)
    },
    /** Starts over with the first attempt. */
    async sendAgain(write: OrgWrite, delivery: StoredDelivery): Promise<void> {
      await resetDeliveries(write.db, write.orgId, [delivery.id])
      await delivering.addAgain(write, [delivery])
    },
    /** Starts the deliveries of a time range over, in batches. Returns how many. */
    async sendRangeAgain(write: OrgWrite, range: Range): Promise<number> {
      const { db, orgId } = write
      const count = await countRange(db, orgId, range, webhookLimits.redelivered)
      if (count === 0) return 0
      const { webhook, since, until, states } = range
      const payload = { webhook, since, until, states: [...states], after: '', left: count }
      await again.add(db, orgId, [{ payload }])
      write.afterCommit(again.wake)
      return count
    },
  }
}
export type Deliveries = ReturnType<typeof createDeliveries>

import { Type } from 'typebox'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { Delivering } from './delivering.ts'
import { insertDeliveries, type NewDelivery } from './delivery-store.ts'
import { findEvents } from './event-store.ts'

interface FanOutParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly jobs: Pick<Jobs, 'register'>
  readonly delivering: Pick<Delivering, 'add'>
}

/** The line of all jobs that make deliveries: those of an organization run in order. */
export const orderOfEvents = 'webhook events'

/** So that one job writes few enough rows: each event may go to twenty webhooks. */
const eventsPerJob = 50
const FanOutJob = Type.Object({ eventIds: Type.Array(Type.String()) })

/**
 * Makes a delivery for each webhook of stored events. A job of its own, so that a change of data costs one row for each
 * event, however many webhooks listen. The jobs of an organization run in order, and so are the deliveries queued.
 */
export function createFanOut({ databases, clock, ids, jobs, delivering }: FanOutParts) {
  const queue = jobs.register({
    name: 'outgoing.fan',
    // Retries of a failed attempt.
    looksWithinMs: 60_000,
    gapsMs: [1_000, 5_000, 60_000],
    tries: 100,
    payload: FanOutJob,
    lane: 'bot',
    atOnce: 4,
    isKept: false,
    isWhole: true,
    endsTogether: true,
    async run({ orgId, payload }): Promise<Outcome> {
      const events = await findEvents(databases.read, orgId, payload.eventIds)
      return {
        kind: 'done',
        async write(writes) {
          const write = writes.of(orgId)
          const at = clock.now().getTime()
          const made = events.flatMap(({ id: eventId, type, line, webhooks }) =>
            webhooks.map(webhook => ({ id: ids(at), webhook, eventId, type, line })),
          )
          const rows = made.map(({ id, webhook, eventId, type }): NewDelivery => ({ id, webhook, eventId, type }))
          await insertDeliveries(write.db, orgId, rows, isoNow(clock))
          await delivering.add(write, made)
        },
      }
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  return {
    /** Queues the deliveries of these stored events, in the caller's transaction. */
    async add(write: OrgWrite, eventIds: readonly string[]): Promise<void> {
      const parts: string[][] = []
      for (let from = 0; from < eventIds.length; from += eventsPerJob)
        parts.push(eventIds.slice(from, from + eventsPerJob))
      await queue.add(
        write.db,
        write.orgId,
        parts.map(part => ({ payload: { eventIds: part }, orderKey: orderOfEvents })),
      )
      write.afterCommit(queue.wake)
    },
  }
}
export type FanOut = ReturnType<typeof createFanOut>

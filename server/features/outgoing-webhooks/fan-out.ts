import { Type } from 'typebox'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { Delivering } from './delivering.ts'
import { insertDeliveries } from './delivery-store.ts'
import { insertEvents, type StoredEvent } from './event-store.ts'

interface FanOutParts {
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly jobs: Pick<Jobs, 'register'>
  readonly delivering: Pick<Delivering, 'add'>
}

/** An event with the names of the webhooks that get it. */
export interface NewEvent extends StoredEvent {
  readonly webhooks: readonly string[]
}

/** The line of all jobs that make deliveries: those of an organization run in order. */
export const orderOfEvents = 'webhook events'

/** So that one job writes few enough rows: each event may go to twenty webhooks. */
const eventsPerJob = 50
const Event = Type.Object({
  id: Type.String(),
  type: Type.String(),
  body: Type.String(),
  line: Type.Union([Type.String(), Type.Null()]),
  webhooks: Type.Array(Type.String()),
})
const FanOutJob = Type.Object({ events: Type.Array(Event) })

/** Stores events and a delivery for each of their webhooks, and queues these. */
export const createStoring =
  ({ clock, ids, delivering }: Omit<FanOutParts, 'jobs'>) =>
  async (write: OrgWrite, events: readonly NewEvent[]): Promise<void> => {
    const now = isoNow(clock)
    const at = clock.now().getTime()
    const made = events.flatMap(({ id: eventId, type, line, webhooks }) =>
      webhooks.map(webhook => ({ id: ids(at), webhook, eventId, type, line })),
    )
    await insertEvents(write.db, write.orgId, events, now)
    await insertDeliveries(write.db, write.orgId, made, now)
    await delivering.add(write, made)
  }

/**
 * Makes a delivery for each webhook of events. The events wait in a job, so that a change of data costs one row, however
 * many events and webhooks there are. The jobs of an organization run in order, and so are the deliveries queued.
 */
export function createFanOut(parts: FanOutParts) {
  const store = createStoring(parts)
  const queue = parts.jobs.register({
    name: 'outgoing.events',
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
    run: async ({ orgId, payload }): Promise<Outcome> => ({
      kind: 'done',
      write: writes => store(writes.of(orgId), payload.events),
    }),
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  return {
    /** Queues the deliveries of these events, in the caller's transaction. */
    async add(write: OrgWrite, events: readonly NewEvent[]): Promise<void> {
      const parts = Array.from({ length: Math.ceil(events.length / eventsPerJob) }, (_, i) =>
        events.slice(i * eventsPerJob, (i + 1) * eventsPerJob),
      )
      await queue.add(
        write.db,
        write.orgId,
        parts.map(part => ({
          payload: { events: part.map(event => ({ ...event, webhooks: [...event.webhooks] })) },
          orderKey: orderOfEvents,
        })),
      )
      write.afterCommit(queue.wake)
    },
  }
}
export type FanOut = ReturnType<typeof createFanOut>

import { Type } from 'typebox'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { readFutureTime } from '#server/platform/time/future-time.ts'
import { maxScheduledDays } from '#shared/bulk-sends/limits.ts'
import { timeOfWall, wallTime } from '#shared/kernel/time.ts'
import { moveSend } from '../changed.ts'
import { findSend, type SendChange } from '../store.ts'
import type { StoredSend } from '../stored-send.ts'
import type { HandOver } from './hand-over.ts'

interface SchedulingParts {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  readonly handOver: HandOver
}

/** The zones in which a day begins first, and last. */
const [firstZone, lastZone] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']

/** Starts sends at their time, also those that became due while no process ran. */
export function createScheduling({ clock, jobs, writes, handOver }: SchedulingParts) {
  const by = systemActor('bulkSends')

  const queue = jobs.register({
    name: 'bulkSends.start',
    looksWithinMs: maxScheduledDays * 86_400_000,
    keepsTime: 'chosen',
    payload: Type.Object({ sendId: Type.String(), startsAt: Type.String() }),
    lane: 'bulk',
    atOnce: 2,
    isKept: false,
    async run({ orgId, payload: { sendId, startsAt } }) {
      await writes.run(orgId, by, async write => {
        const send = await findSend(write.db, orgId, sendId)
        // Rescheduled, started by hand or cancelled meanwhile.
        if (send?.state !== 'scheduled' || send.startsAt !== startsAt) return
        await handOver.begin(write, send)
      })
      return undefined
    },
    lost: () => ({ kind: 'retry', reason: 'LOST' }),
  })

  return {
    /** Returns ISO 8601 UTC. @throws InvalidInput for an invalid or past time, or one too far ahead. */
    readStart: (startAt: string, field = 'body.startAt'): string =>
      readFutureTime(clock, startAt, { field, days: maxScheduledDays }),

    /**
     * Returns the time at which this local time is first reached anywhere. Null: it has been reached. @throws
     * InvalidInput for an invalid time, one that has passed everywhere, or one too far ahead.
     */
    readLocalStart(localStart: string): string | null {
      const field = 'body.localStart'
      const last = timeOfWall(localStart, lastZone) ?? ''
      const isTime = last !== '' && wallTime(Date.parse(last), lastZone) === localStart
      readFutureTime(clock, isTime ? last : '', { field, days: maxScheduledDays })
      const first = timeOfWall(localStart, firstZone) as string
      return first > isoNow(clock) ? first : null
    },

    /** Schedules the start, in the caller's transaction. An earlier schedule no longer applies. */
    async set(write: OrgWrite, send: StoredSend, startsAt: string, change: SendChange = {}): Promise<StoredSend> {
      const { db, orgId, afterCommit } = write
      const moved = await moveSend(write, send, { ...change, state: 'scheduled', startsAt })
      const payload = { sendId: send.id, startsAt }
      await queue.add(db, orgId, [{ payload, uniqueKey: `${send.id} ${startsAt}`, dueAt: startsAt }])
      afterCommit(queue.wake)
      return moved
    },

    /** False if the time has passed, which may happen while the recipients are written. */
    isAhead: (startsAt: string): boolean => startsAt > isoNow(clock),
  }
}
export type Scheduling = ReturnType<typeof createScheduling>

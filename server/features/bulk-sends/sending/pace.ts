import type { Db } from '#server/platform/db/database.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { bulkPerSecond } from '#shared/bulk-sends/pace.ts'
import { findPace, type NumberPace, type SlowedPace, savePace } from './pace-store.ts'

/** Requests that began within this time after a slow-down, or before it, belong to the same one. */
const sameSlowDownMs = 10_000
/** After a slow-down, the rate grows by a twentieth in each of these intervals. */
const recoverEveryMs = 15_000

/** Messages per second without slow-downs. */
const usualOf = (known: Pick<NumberPace, 'setPerSecond'> | undefined): number => known?.setPerSecond ?? bulkPerSecond

/**
 * Messages per second now, at least one. Returns to the usual rate after a while. A clock that was set back does not
 * slow it down.
 */
export function paceAt(slowed: NumberPace | undefined, now: number): number {
  const usual = usualOf(slowed)
  if (!slowed) return usual
  const passedMs = Math.max(0, now - Date.parse(slowed.slowedAt))
  const more = Math.ceil(usual / bulkPerSecond) * Math.floor(passedMs / recoverEveryMs)
  return Math.min(usual, Math.max(1, slowed.perSecond) + more)
}

/** A slow-down covers requests that began before it or soon after. A refusal may come late, so the start decides. */
export function isKnown(slowed: SlowedPace | undefined, attemptedAt: string, now: number): boolean {
  if (!slowed) return false
  const slowedAt = Date.parse(slowed.slowedAt)
  const isOfClockPutBack = slowedAt > now
  return !isOfClockPutBack && Math.min(Date.parse(attemptedAt), now) - slowedAt < sameSlowDownMs
}

/**
 * The rate of bulk messages of a number. When WhatsApp limits the whole number, the rate is halved and grows back
 * gradually, because people's and flows' answers need the remaining capacity.
 */
export function createBulkPace({ clock }: { clock: Clock }) {
  const now = () => clock.now().getTime()
  return {
    /** Messages per second now, at least one, and without slow-downs. */
    async of(db: Db, orgId: string, connectionId: string): Promise<{ perSecond: number; usualPerSecond: number }> {
      const known = await findPace(db, orgId, connectionId)
      return { perSecond: paceAt(known, now()), usualPerSecond: usualOf(known) }
    },

    listener: {
      name: 'pace of sends to many',
      on: ['connection.paused'],
      async handle({ db, orgId }, events) {
        for (const { data } of events) {
          const { connectionId, attemptedAt } = data
          const slowed = await findPace(db, orgId, connectionId)
          if (isKnown(slowed, attemptedAt, now())) continue
          const perSecond = Math.max(1, Math.floor(paceAt(slowed, now()) / 2))
          await savePace(db, orgId, connectionId, { perSecond, slowedAt: isoNow(clock) })
        }
      },
    } satisfies TransactionListener<'connection.paused'>,
  }
}
export type Pace = ReturnType<typeof createBulkPace>

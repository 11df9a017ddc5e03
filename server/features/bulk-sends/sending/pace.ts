import type { Db } from '#server/platform/db/database.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { bulkPerSecond } from '#shared/bulk-sends/pace.ts'
import { findPace, type NumberPace, type SlowedPace, savePace } from './pace-store.ts'

/** Calls that began within it of a slow-down, or before, say the same thing once. */
const oneRefusalMs = 10_000
/** A number that was held back takes a twentieth more again after so long. */
const fasterEveryMs = 15_000

/** Messages a second when nothing holds them back. */
const usualOf = (known: Pick<NumberPace, 'setPerSecond'> | undefined): number => known?.setPerSecond ?? bulkPerSecond

/** Messages a second now: never none, and after a while as many as ever. A clock put back makes nothing slower. */
export function paceAt(slowed: NumberPace | undefined, now: number): number {
  const usual = usualOf(slowed)
  if (!slowed) return usual
  const passedMs = Math.max(0, now - Date.parse(slowed.slowedAt))
  const more = Math.ceil(usual / bulkPerSecond) * Math.floor(passedMs / fasterEveryMs)
  return Math.min(usual, Math.max(1, slowed.perSecond) + more)
}

/** Whether a refused call says no more than is known: judged by when it began, as an answer may come late. */
export function isKnown(slowed: SlowedPace | undefined, attemptedAt: string, now: number): boolean {
  if (!slowed) return false
  const slowedAt = Date.parse(slowed.slowedAt)
  const isOfClockPutBack = slowedAt > now
  return !isOfClockPutBack && Math.min(Date.parse(attemptedAt), now) - slowedAt < oneRefusalMs
}

/**
 * How fast a number hands over to many. Whenever WhatsApp holds the whole number back, sends to many go on at half the
 * pace they had and gain it again bit by bit: what a person or a flow answers needs the room they leave.
 */
export function createPace({ clock }: { clock: Clock }) {
  const now = () => clock.now().getTime()
  return {
    /** Messages a second now, at least one, and when nothing holds them back. */
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
export type Pace = ReturnType<typeof createPace>

import type { Databases } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { type AnyKind, retriesWithinMs } from '../job.ts'
import type { AddedAheadPage } from '../rows/times-store.ts'
import type { JobStore } from '../store.ts'

interface ClockJumpParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly store: JobStore
  kinds(): readonly AnyKind[]
}

/** A clock that goes back by less than this is not a jump. */
const smallestJumpMs = 1_000
/** Jobs due within this after the last heartbeat are made due when the clock was set back. */
const soonMs = 60_000
const calledBackAtOnce = 500

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

/** Corrects the times of jobs that were written while a clock was ahead. */
export function createClockJumps(parts: ClockJumpParts) {
  const { databases, clock, log, store } = parts

  /**
   * Reschedules jobs that are due further ahead than their kind allows: a clock that was ahead wrote them, here or in an
   * earlier process.
   */
  const callBackFarAhead = async () => {
    const now = clock.now()
    const later = (ms: number) => new Date(now.getTime() + ms).toISOString()
    const bounds = parts.kinds().flatMap(kind => {
      const isKept = kind.keepsTime !== undefined
      const { name, looksWithinMs: ms } = kind
      return [
        { kind: name, state: 'scheduled' as const, after: later(ms + soonMs), dueAt: later(isKept ? ms : 0) },
        { kind: name, state: 'retrying' as const, after: later(retriesWithinMs(kind) + soonMs), dueAt: later(0) },
      ]
    })
    for (const bound of await store.listKindsFarAhead(databases.read, bounds))
      for (let count = calledBackAtOnce; count === calledBackAtOnce; ) {
        count = await store.callBackFarAhead(databases, { ...bound, limit: calledBackAtOnce })
        log.warn(
          { job: bound.kind, jobs: count },
          'jobs were due too far ahead, because a clock was ahead; they are rescheduled',
        )
        if (count === calledBackAtOnce) await nextTurn()
      }
  }

  /** If a clock was ahead when a job with a delay was added, the delay starts now. */
  const bringBackAdded = async () => {
    const now = clock.now().toISOString()
    const addedBy = new Date(clock.now().getTime() + soonMs).toISOString()
    for (const { name: kind, keepsTime } of parts.kinds())
      for (let isMore = keepsTime === 'fromAdding', after: AddedAheadPage['after']; isMore; ) {
        const page = { kind, now, addedBy, after, limit: calledBackAtOnce }
        const { moved, next } = await store.bringBackAdded(databases, page)
        if (moved)
          log.warn({ job: kind, jobs: moved }, 'jobs were added while a clock was ahead; their delay starts now')
        after = next
        isMore = next !== undefined
        if (isMore) await nextTurn()
      }
  }

  /** If the clock was set back by hours, a job due in a second would wait for hours. Makes such jobs due now. */
  const callBackSoon = async (now: string, lastAt: number) => {
    const until = new Date(lastAt + soonMs).toISOString()
    const kinds = parts.kinds().flatMap(kind => (kind.keepsTime ? [] : [kind.name]))
    log.warn({ from: new Date(lastAt).toISOString() }, 'the clock was set back: jobs due soon run now')
    await store.freePaces(databases.write, { now, until })
    const which = { kinds, now, until, limit: calledBackAtOnce }
    while ((await store.callBack(databases.write, which)) === calledBackAtOnce) await nextTurn()
    await correctAll()
  }

  /** @param lastAt an earlier time of this process's clock, in milliseconds since 1970. Returns whether it was set back. */
  const correctIfSetBack = async (lastAt: number, now: Date): Promise<boolean> => {
    if (lastAt - now.getTime() <= smallestJumpMs) return false
    await callBackSoon(now.toISOString(), lastAt)
    return true
  }

  /** Call it when a process starts: its clock, or that of an earlier process, may have been ahead. */
  const correctAll = async () => {
    await bringBackAdded()
    await callBackFarAhead()
  }

  return { correctAll, correctIfSetBack, callBackFarAhead }
}

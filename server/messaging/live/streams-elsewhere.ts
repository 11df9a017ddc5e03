import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { monotonicMs } from '#server/platform/time/clock.ts'

/** A process sends all its counts again this often, for processes that are new or missed a signal. */
const announceAllEveryMs = 5_000
/** A process that has not sent its counts for this time is assumed dead. */
const leaseMs = 20_000

interface Known {
  readonly count: number
  readonly word: number
  readonly until: number
}

interface StreamsElsewhereParts {
  readonly signals: Databases['signals']
  /** Monotonic milliseconds; tests replace it. */
  nowMs?(): number
  /** The number of streams of each person in this process. */
  own(): Iterable<readonly [userId: string, count: number]>
}

/**
 * Counts a person's streams in other processes. Each process signals when one begins or ends. Nothing is stored,
 * because a thousand tabs that reconnect at once would wait for a thousand commits. Concurrent signals can admit one
 * stream too many until the next signal.
 */
export function createStreamsElsewhere({ signals, own, nowMs = monotonicMs }: StreamsElsewhereParts) {
  const self = newId()
  const known = new Map<string, Map<string, Known>>()
  let signalCount = 0
  let allSentAt = nowMs()

  // Numbered, so that the later of two signals counts and neither is dropped as a duplicate.
  const announce = (userId: string, count: number) => {
    signalCount += 1
    signals.send('seats', `${self} ${signalCount} ${count} ${userId}`)
  }

  const hearOf = (detail: string, now: number) => {
    const [, process, word, count, userId] = /^(\S+) (\d+) (\d+) (.+)$/.exec(detail) ?? []
    if (process === undefined || userId === undefined) return
    const processes = known.get(userId) ?? new Map<string, Known>()
    if ((processes.get(process)?.word ?? 0) > Number(word)) return
    known.set(userId, processes.set(process, { count: Number(count), word: Number(word), until: now + leaseMs }))
  }

  const forget = (now: number) => {
    for (const [userId, processes] of known) {
      for (const [process, { until }] of processes) if (until <= now) processes.delete(process)
      if (!processes.size) known.delete(userId)
    }
  }

  signals.hear('seats', detail => {
    const now = nowMs()
    if (detail !== undefined) {
      hearOf(detail, now)
      return
    }
    if (now - allSentAt < announceAllEveryMs) return
    allSentAt = now
    forget(now)
    for (const [userId, count] of own()) announce(userId, count)
  })

  return {
    /** Tells the other processes the number of the person's streams in this one. */
    announce(userId: string, count: number) {
      if (signals.isShared) announce(userId, count)
    },
    of(userId: string): number {
      const now = nowMs()
      let sum = 0
      for (const { count, until } of known.get(userId)?.values() ?? []) if (until > now) sum += count
      return sum
    },
  }
}

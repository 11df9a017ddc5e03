import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { monotonicMs } from '#server/platform/time/clock.ts'

/** All of a process's own are told again so often, for whoever has just begun or has missed a word. */
const tellAllEveryMs = 5_000
/** Streams of a process that says nothing of them for so long are gone with it. */
const leaseMs = 20_000

interface Known {
  readonly count: number
  readonly word: number
  readonly until: number
}

interface StreamsElsewhereParts {
  readonly signals: Databases['signals']
  /** Milliseconds that never jump; tests have their own. */
  nowMs?(): number
  /** How many streams each person has in this process. */
  own(): Iterable<readonly [userId: string, count: number]>
}

/**
 * How many streams a person has in the other processes. Each tells the others when one begins or ends; no row is
 * written, as a thousand tabs that come back at once would wait for a thousand commits. Words that cross can let one
 * more in, and the count is right again with the next.
 */
export function createStreamsElsewhere({ signals, own, nowMs = monotonicMs }: StreamsElsewhereParts) {
  const self = newId()
  const known = new Map<string, Map<string, Known>>()
  let words = 0
  let allSentAt = nowMs()

  // Numbered: of two words in one turn the later counts, and neither is taken for the other.
  const tell = (userId: string, count: number) => {
    words += 1
    signals.send('seats', `${self} ${words} ${count} ${userId}`)
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
    if (now - allSentAt < tellAllEveryMs) return
    allSentAt = now
    forget(now)
    for (const [userId, count] of own()) tell(userId, count)
  })

  return {
    /** So many this process has now. */
    tell(userId: string, count: number) {
      if (signals.isShared) tell(userId, count)
    },
    of(userId: string): number {
      const now = nowMs()
      let sum = 0
      for (const { count, until } of known.get(userId)?.values() ?? []) if (until > now) sum += count
      return sum
    },
  }
}

import { monotonicMs } from '#server/platform/time/clock.ts'

/** What goes on for so long gives way to requests, timers and streams. */
const longTurnMs = 8
/** The same of what goes to many, whose next ones nobody waits for. */
export const longTurnOfManyMs = 4
/** So long after it came a request that reads goes before what is worked through; it may be a download of minutes. */
const readerMs = 100
/** So long after its last step what is worked through waits at most for those who read, however many they are. */
const longestWaitMs = 20

/** How long the event loop has been in its turn, as seen by those who ask. */
export interface LoopTurn {
  /**
   * For whoever works through many things. Undefined: go on. Else resolves in one of the next turns, in the order in which
   * they asked; and not in every turn while somebody reads. `longMs`: a turn that lasts so long is long, to this one.
   */
  giveWay(longMs?: number): Promise<void> | undefined
  /** The same for a request: it waits for the turn alone. */
  comeIn(): Promise<void> | undefined
  /** Somebody waits for an answer that is read; until the function it answers is called. */
  read(): () => void
}

/**
 * Statements of SQLite, and everything awaited on them, run as one chain of microtasks in which nobody else has a turn;
 * so do the requests that the system hands over together. Whoever is one of many asks before it begins.
 */
export function createLoopTurn(nowMs: () => number = monotonicMs): LoopTurn {
  /** When the first one asked in this turn. */
  let since: number | undefined
  /** What is worked through goes on in this turn. */
  let isWorking = false
  let workedAt = Number.NEGATIVE_INFINITY
  const readers = new Set<{ readonly until: number }>()
  const end = () => {
    since = undefined
    isWorking = false
  }
  /** Answers the time; undefined: this turn is long by now. */
  const timeInTurn = (longMs: number): number | undefined => {
    const now = nowMs()
    if (since !== undefined) return now - since >= longMs ? undefined : now
    since = now
    // One alone may still be of this turn: only between the two the loop has looked for what came.
    setImmediate(() => setImmediate(end))
    return now
  }
  const isRead = (at: number): boolean => {
    for (const reader of readers) {
      if (reader.until > at) return true
      readers.delete(reader)
    }
    return false
  }
  const mayComeIn = (): boolean => timeInTurn(longTurnMs) !== undefined
  const mayWork = (longMs: number): boolean => {
    const now = timeInTurn(longMs)
    if (now === undefined) return false
    if (!isWorking && readers.size && now - workedAt < longestWaitMs && isRead(now)) return false
    isWorking = true
    workedAt = now
    return true
  }
  const waitUntil = (may: () => boolean): Promise<void> | undefined => {
    if (may()) return undefined
    return new Promise(resolve => {
      const tryAgain = () => {
        if (may()) resolve()
        else setImmediate(tryAgain)
      }
      setImmediate(tryAgain)
    })
  }
  return {
    giveWay: (longMs = longTurnMs) => waitUntil(() => mayWork(longMs)),
    comeIn: () => waitUntil(mayComeIn),
    read() {
      const reader = { until: nowMs() + readerMs }
      readers.add(reader)
      return () => void readers.delete(reader)
    },
  }
}

/** Of this process. */
export const loopTurn: LoopTurn = createLoopTurn()

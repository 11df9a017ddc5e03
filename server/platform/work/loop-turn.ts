import { monotonicMs } from '#server/platform/time/clock.ts'

/** After this time long work yields to requests, timers and streams. */
const longTurnMs = 8
/** The same time for bulk sends, which yield sooner because nobody waits for them. */
export const longBulkTurnMs = 4
/** A request that reads has priority over long work for this time only, because it may be a download of minutes. */
const readerMs = 100
/** Long work waits at most this long for readers, however many there are. */
const longestWaitMs = 20

/** Measures how long the current turn of the event loop has lasted. */
export interface LoopTurn {
  /**
   * Call it before each step of long work. Undefined: continue now. Otherwise it resolves in a later turn, in the order of
   * the calls, and not in every turn while requests read. `longMs`: from when on a turn counts as long.
   */
  giveWay(longMs?: number): Promise<void> | undefined
  /** Call it before each step of a request. Like `giveWay`, but resolves in the next turn. */
  waitForNewTurn(longMs?: number): Promise<void> | undefined
  /** Call it in a request that computes for long: other waiting requests run first, for 20 ms at most. */
  letRequestsPass(longMs?: number): Promise<void> | undefined
  /** Marks that a request reads, until the returned function is called. */
  read(): () => void
}

/**
 * Statements of SQLite, and everything awaited on them, run as one chain of microtasks during which the event loop stands
 * still; so do requests that arrive together. Work of which there are many asks before it begins.
 */
export function createLoopTurn(nowMs: () => number = monotonicMs): LoopTurn {
  /** Time of the first call in this turn. */
  let since: number | undefined
  let waitingRequests = 0
  /** Long work has run in this turn. */
  let isWorking = false
  let workedAt = Number.NEGATIVE_INFINITY
  const readers = new Set<{ readonly until: number }>()
  const end = () => {
    since = undefined
    isWorking = false
  }
  /** Returns the time; undefined: this turn is too long. */
  const timeInTurn = (longMs: number): number | undefined => {
    const now = nowMs()
    if (since !== undefined) return now - since >= longMs ? undefined : now
    since = now
    // A single setImmediate may still run in this turn; between two of them the loop has polled for I/O.
    setImmediate(() => setImmediate(end))
    return now
  }
  const dropExpiredReaders = (now: number): void => {
    for (const reader of readers) {
      if (reader.until > now) return
      readers.delete(reader)
    }
  }
  /** Records that long work takes its next step now. False: it has to wait, and nothing is recorded. */
  const tryWork = (longMs: number): boolean => {
    const now = timeInTurn(longMs)
    if (now === undefined) return false
    if (!isWorking && now - workedAt < longestWaitMs) {
      dropExpiredReaders(now)
      if (readers.size) return false
    }
    isWorking = true
    workedAt = now
    return true
  }
  const waitUntil = (tryNow: () => boolean): Promise<void> | undefined => {
    if (tryNow()) return undefined
    return new Promise(resolve => {
      const tryAgain = () => {
        if (tryNow()) resolve()
        else setImmediate(tryAgain)
      }
      setImmediate(tryAgain)
    })
  }
  return {
    giveWay: (longMs = longTurnMs) => waitUntil(() => tryWork(longMs)),
    waitForNewTurn(longMs = longTurnMs) {
      const wait = waitUntil(() => timeInTurn(longMs) !== undefined)
      if (!wait) return undefined
      waitingRequests += 1
      return wait.then(() => {
        waitingRequests -= 1
      })
    },
    letRequestsPass(longMs = longTurnMs) {
      const until = nowMs() + longestWaitMs
      return waitUntil(() => (!waitingRequests || nowMs() >= until) && timeInTurn(longMs) !== undefined)
    },
    read() {
      const reader = { until: nowMs() + readerMs }
      readers.add(reader)
      return () => void readers.delete(reader)
    },
  }
}

/** The event loop's turns in this process. */
export const loopTurn: LoopTurn = createLoopTurn()

import { monotonicMs } from './clock.ts'

/** What goes on for so long gives way to requests, timers and streams. */
const longTurnMs = 8

/** How long the event loop has been in its turn, as seen by those who ask. */
export interface LoopTurn {
  /** Undefined: go on. Else resolves in one of the next turns, in the order in which they asked. */
  giveWay(): Promise<void> | undefined
}

/**
 * Statements of SQLite, and everything awaited on them, run as one chain of microtasks in which nobody else has a turn;
 * so do the requests that the system hands over together. Whoever is one of many asks before it begins.
 */
export function createLoopTurn(nowMs: () => number = monotonicMs): LoopTurn {
  /** When the first one asked in this turn. */
  let since: number | undefined
  const end = () => {
    since = undefined
  }
  const isLong = (): boolean => {
    if (since !== undefined) return nowMs() - since >= longTurnMs
    since = nowMs()
    setImmediate(end)
    return false
  }
  return {
    giveWay() {
      if (!isLong()) return undefined
      return new Promise(resolve => {
        const tryAgain = () => {
          if (isLong()) setImmediate(tryAgain)
          else resolve()
        }
        setImmediate(tryAgain)
      })
    },
  }
}

/** Of this process. */
export const loopTurn: LoopTurn = createLoopTurn()

/** Ends calls in time, thousands a second. */
import { monotonicMs } from '#server/platform/time/clock.ts'

const noAnswer = () => new DOMException('no answer in time', 'TimeoutError')

type Stop = (reason: Error) => void

/** Time limits are checked this often. Calls with a limit below a second get their own timer. */
const lookMs = 250
const ownTimerMs = 1_000

/**
 * Ends calls whose time limit has passed or whose signal is aborted. With thousands of calls a second, one timer checks
 * all of them, and each signal gets one listener: a listener per call would be searched linearly on removal.
 */
const createEndings = () => {
  const timed = new Map<Stop, number>()
  const bySignal = new WeakMap<AbortSignal, Set<Stop>>()
  let isLooking = false
  const look = () => {
    const now = monotonicMs()
    for (const [stop, until] of timed) if (until <= now) stop(noAnswer())
    isLooking = timed.size > 0
    if (isLooking) setTimeout(look, lookMs).unref()
  }
  const until = (stop: Stop, ms: number): (() => void) => {
    if (ms < ownTimerMs) {
      const timer = setTimeout(() => stop(noAnswer()), ms)
      return () => clearTimeout(timer)
    }
    timed.set(stop, monotonicMs() + ms)
    if (!isLooking) {
      isLooking = true
      setTimeout(look, lookMs).unref()
    }
    return () => timed.delete(stop)
  }
  const stopsOf = (signal: AbortSignal): Set<Stop> => {
    const known = bySignal.get(signal)
    if (known) return known
    const stops = new Set<Stop>()
    bySignal.set(signal, stops)
    signal.addEventListener(
      'abort',
      () => {
        for (const stop of stops) stop(signal.reason)
      },
      { once: true },
    )
    return stops
  }
  /** Returns a function to call when the call has ended. */
  return (stop: Stop, ms: number, signal: AbortSignal | undefined): (() => void) => {
    const forget = until(stop, ms)
    const stops = signal && stopsOf(signal)
    stops?.add(stop)
    return () => {
      forget()
      stops?.delete(stop)
    }
  }
}
export const endings = createEndings()

/** Limits `work` to this time; the caller's signal aborts it too. */
export const within = async <T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(noAnswer()), ms)
  const end = () => timer.abort(signal?.reason)
  // Cheaper than `AbortSignal.any`, which creates garbage for each call.
  signal?.addEventListener('abort', end, { once: true })
  try {
    return await work(timer.signal)
  } finally {
    clearTimeout(timeout)
    signal?.removeEventListener('abort', end)
  }
}

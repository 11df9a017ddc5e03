/**
 * A message answered later than the fastest may have arrived later by this much at most. More says nothing about
 * arrival.
 */
const maxDelayMs = 60
/** Upper bound of the estimate on average: uneven answers may come from a busy server instead of a slow network. */
const maxMeanDelayMs = 8
/** Weight of the moving average, in answers. */
const averagedAnswers = 200
/** The fastest answer of this period and the one before is taken as the network's current round trip. */
const periodMs = 10_000

/** Estimates from answers how much later than the fastest a message arrived. */
export interface ArrivalDelay {
  /** Call when an answer arrives. @param tookMs time since the request was written */
  delayMs(now: number, tookMs: number): number
}

export function createArrivalDelay(): ArrivalDelay {
  let since = 0
  let [least, leastBefore] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let mean = 0
  return {
    delayMs(now, tookMs) {
      if (now - since > periodMs) {
        leastBefore = now - since > 2 * periodMs ? Number.POSITIVE_INFINITY : least
        least = Number.POSITIVE_INFINITY
        since = now
      }
      least = Math.min(least, tookMs)
      const delay = Math.min(maxDelayMs, tookMs - Math.min(least, leastBefore))
      mean += (delay - mean) / averagedAnswers
      return delay * Math.min(1, maxMeanDelayMs / mean)
    },
  }
}

/** Answered so much later than the fastest, one may have arrived as much later; that it took longer says nothing more. */
const mostLateMs = 60
/** So much is believed on average, however unevenly answers come: whoever answers may have been busy with it. */
const meanLateMs = 8
/** Of so many answers. */
const averagedOver = 200
/** The fastest of so long, and of as long before, is the way as it is now. */
const knownForMs = 10_000

/** The way to whoever answers, as far as answers tell how long it is. */
export interface Way {
  /** One was answered now, after so long: so much later than the fastest it may have arrived. */
  lateMs(now: number, tookMs: number): number
}

export function createWay(): Way {
  let since = 0
  let [least, leastBefore] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let mean = 0
  return {
    lateMs(now, tookMs) {
      if (now - since > knownForMs) {
        leastBefore = now - since > 2 * knownForMs ? Number.POSITIVE_INFINITY : least
        least = Number.POSITIVE_INFINITY
        since = now
      }
      least = Math.min(least, tookMs)
      const late = Math.min(mostLateMs, tookMs - Math.min(least, leastBefore))
      mean += (late - mean) / averagedOver
      return late * Math.min(1, meanLateMs / mean)
    },
  }
}

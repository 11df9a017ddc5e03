import type { Clock } from '#server/platform/time/clock.ts'

/** Failures in a row after which a path rests. */
const maxFailures = 5
/** A path rests this long. Then one call tries it. */
const restMs = 10_000
/** Paths of organizations that fail. Beyond, the one that failed first is forgotten. */
const maxPaths = 10_000

interface Trouble {
  failures: number
  /** Milliseconds since 1970; 0: it does not rest. */
  restsUntil: number
}

/**
 * Leaves a path of the upstream alone that failed for an organization several times in a row, so that nobody waits for
 * it. Kept in memory: each process finds out by itself.
 */
export function createBreaker(clock: Clock) {
  const troubles = new Map<string, Trouble>()
  return {
    /** Seconds to wait before `key` may be called. 0: now. After a rest, one caller at a time gets 0. */
    waitSeconds(key: string): number {
      const trouble = troubles.get(key)
      if (!trouble?.restsUntil) return 0
      const now = clock.now().getTime()
      if (now < trouble.restsUntil) return Math.ceil((trouble.restsUntil - now) / 1000)
      trouble.restsUntil = now + restMs
      return 0
    },
    succeeded(key: string): void {
      troubles.delete(key)
    },
    failed(key: string): void {
      const trouble = troubles.get(key) ?? { failures: 0, restsUntil: 0 }
      trouble.failures += 1
      if (trouble.failures >= maxFailures) trouble.restsUntil = clock.now().getTime() + restMs
      troubles.set(key, trouble)
      if (troubles.size > maxPaths) troubles.delete(troubles.keys().next().value as string)
    },
    isResting: (key: string): boolean => (troubles.get(key)?.restsUntil ?? 0) > clock.now().getTime(),
  }
}

export type Breaker = ReturnType<typeof createBreaker>

import type { Clock } from '#server/platform/time/clock.ts'

/** A token bucket; holds at most `burst`. */
interface Bucket {
  left: number
  atMs: number
}

const maxBuckets = 20_000
const dayMs = 86_400_000

/** Meta's limits on sending. In memory: a restart resets them. */
export interface Limits {
  /** 80 messages a second for a number. */
  takeThroughput(phoneNumberId: string): boolean
  /** One message in six seconds to the same customer, with bursts of 45. */
  takePair(phoneNumberId: string, waId: string): boolean
  /** An account may write to `most` people first within a day; those already counted may be written to again. */
  takePerson(wabaId: string, waId: string, most: number): boolean
  /** Counts calls of an account within the hour; returns the percentage of 5,000. */
  countManagement(wabaId: string): number
}

/** @see Meta, "Throughput", "Pair rate limits", "Business use case rate limits" */
export function createLimits(clock: Clock): Limits {
  const buckets = new Map<string, Bucket>()
  const people = new Map<string, Map<string, number>>()
  const hours = new Map<string, { hour: number; calls: number }>()

  const take = (key: string, perSecond: number, burst: number): boolean => {
    const now = clock.now().getTime()
    const bucket = buckets.get(key) ?? { left: burst, atMs: now }
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.atMs) / 1000) * perSecond)
    bucket.atMs = now
    if (buckets.size >= maxBuckets && !buckets.has(key)) buckets.clear()
    buckets.set(key, bucket)
    if (bucket.left < 1) return false
    bucket.left -= 1
    return true
  }

  return {
    takeThroughput: phoneNumberId => take(phoneNumberId, 80, 80),
    takePair: (phoneNumberId, waId) => take(`${phoneNumberId} ${waId}`, 1 / 6, 45),
    takePerson(wabaId, waId, most) {
      const now = clock.now().getTime()
      const known = people.get(wabaId) ?? new Map<string, number>()
      people.set(wabaId, known)
      for (const [id, atMs] of known) {
        // The map is in order of time.
        if (now - atMs < dayMs) break
        known.delete(id)
      }
      if (!known.has(waId) && known.size >= most) return false
      known.delete(waId)
      known.set(waId, now)
      return true
    },
    countManagement: wabaId => {
      const hour = Math.floor(clock.now().getTime() / 3_600_000)
      const known = hours.get(wabaId)
      const calls = known?.hour === hour ? known.calls + 1 : 1
      hours.set(wabaId, { hour, calls })
      return Math.min(100, Math.floor(calls / 50))
    },
  }
}

import type { Elapsed } from './segment-facts.ts'

const dayMs = 86_400_000

/**
 * The latest ms such that a customer who has waited since then, or since before, has waited longer than promised at `now`.
 * Undefined: nobody can have waited longer.
 */
export function lateSince(businessTime: Elapsed, now: number, promiseMs: number): number | undefined {
  const isLate = (since: number) => businessTime(since, now) > promiseMs
  let [late, inTime] = [now, now]
  for (let backMs = dayMs; !isLate(late); backMs *= 2) {
    if (late <= 0) return undefined
    inTime = late
    late = Math.max(0, now - backMs)
  }
  while (inTime - late > 1) {
    const middle = Math.floor((late + inTime) / 2)
    if (isLate(middle)) late = middle
    else inTime = middle
  }
  return late
}

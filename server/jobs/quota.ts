import type { Quota } from './claim-store.ts'
import { placesOf, type Queue } from './lane.ts'

interface Places {
  readonly atOnce: number
  readonly perOrg: number
  /** Of the kind, in this process. */
  readonly running: number
  runningOf(orgId: string): number
  /** What a queue's pace allows. */
  allowed(queue: Queue): number
}

/**
 * How many of each queue of one lane to take: the free places are dealt out evenly in the order given, no organization
 * beyond its own places, no pace beyond what it allows.
 */
export function dealPlaces(queues: readonly Queue[], places: Places): Quota[] {
  const rank = queues[0]?.rank ?? 0
  let room = placesOf(rank, places.atOnce) - places.running
  const share = Math.max(1, Math.floor(room / queues.length))
  const taken = new Map<string, number>()
  const quotas: Quota[] = []
  for (const queue of queues) {
    if (room <= 0) break
    const own = placesOf(rank, places.perOrg) - places.runningOf(queue.orgId) - (taken.get(queue.orgId) ?? 0)
    const limit = Math.min(room, share, own, places.allowed(queue))
    if (limit <= 0) continue
    quotas.push({ queue: queue.name, limit })
    taken.set(queue.orgId, (taken.get(queue.orgId) ?? 0) + limit)
    room -= limit
  }
  return quotas
}

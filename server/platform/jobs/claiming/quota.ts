import { placesOf, type Queue } from '../lane.ts'
import type { Quota } from './claim-store.ts'

export interface Places {
  readonly atOnce: number
  readonly perOrg: number
  /** See `JobKind`. */
  readonly leavesPlaces: boolean
  readonly perKey: number
  /** Jobs of the kind that this process runs. */
  readonly running: number
  runningOf(orgId: string): number
  runningOfKey(queue: Queue): number
  /** How many a queue's rate allows. */
  allowed(queue: Queue): number
}

/** Free places of a lane, for all organizations. */
export const freePlacesOf = (rank: number, places: Pick<Places, 'atOnce' | 'running'>): number =>
  placesOf(rank, places.atOnce) - places.running

/** Places that an organization may have, including those it uses. */
const placesOfOrg = ({ rank, orgId }: Queue, places: Places): number => {
  const most = placesOf(rank, places.perOrg)
  if (!places.leavesPlaces) return most
  const left = placesOf(rank, places.atOnce) - (places.running - places.runningOf(orgId))
  return Math.min(most, Math.max(1, Math.floor(left / 2)))
}

/** How many places a queue may take: within its organization's, its pace key's and its rate. */
export const shareOf = (queue: Queue, places: Places, takenByOrg = 0): number =>
  Math.min(
    placesOfOrg(queue, places) - places.runningOf(queue.orgId) - takenByOrg,
    placesOf(queue.rank, places.perKey) - places.runningOfKey(queue),
    places.allowed(queue),
  )

/**
 * How many jobs of each queue to claim, at most `most` in total; free places are distributed evenly in the given order.
 */
export function dealPlaces(queues: readonly Queue[], places: Places, most: number): Quota[] {
  let free = Math.min(most, freePlacesOf(queues[0]?.rank ?? 0, places))
  const even = Math.max(1, Math.floor(free / queues.length))
  const taken = new Map<string, number>()
  const quotas: Quota[] = []
  for (const queue of queues) {
    if (free <= 0) break
    const own = taken.get(queue.orgId) ?? 0
    const limit = Math.min(free, even, shareOf(queue, places, own))
    if (limit <= 0) continue
    quotas.push({ queue: queue.name, limit })
    taken.set(queue.orgId, own + limit)
    free -= limit
  }
  return quotas
}

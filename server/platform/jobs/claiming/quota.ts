import { type Queue, slotsOf } from '../lane.ts'
import type { Quota } from './claim-store.ts'

export interface Slots {
  readonly atOnce: number
  readonly perOrg: number
  /** See `JobKind`. */
  readonly leavesSlots: boolean
  readonly perKey: number
  /** Jobs of the kind that this process runs. */
  readonly running: number
  runningOf(orgId: string): number
  runningOfKey(queue: Queue): number
  /** Jobs that the rate of the queue's pace key allows to start now. */
  allowed(queue: Queue): number
}

/** Free slots of a lane, for all organizations. */
export const freeSlotsOf = (rank: number, slots: Pick<Slots, 'atOnce' | 'running'>): number =>
  slotsOf(rank, slots.atOnce) - slots.running

/** Slots that an organization may have, including those it uses. */
const slotsOfOrg = ({ rank, orgId }: Queue, slots: Slots): number => {
  const most = slotsOf(rank, slots.perOrg)
  if (!slots.leavesSlots) return most
  const left = slotsOf(rank, slots.atOnce) - (slots.running - slots.runningOf(orgId))
  return Math.min(most, Math.max(1, Math.floor(left / 2)))
}

/** The smallest of what the slots of its organization, the slots of its pace key, and its rate allow. */
export const shareOf = (queue: Queue, slots: Slots, takenByOrg = 0): number =>
  Math.min(
    slotsOfOrg(queue, slots) - slots.runningOf(queue.orgId) - takenByOrg,
    slotsOf(queue.rank, slots.perKey) - slots.runningOfKey(queue),
    slots.allowed(queue),
  )

/**
 * Decides how many jobs of each queue to claim, at most `most` in total. Free slots are distributed evenly in the given
 * order.
 */
export function dealSlots(queues: readonly Queue[], slots: Slots, most: number): Quota[] {
  let free = Math.min(most, freeSlotsOf(queues[0]?.rank ?? 0, slots))
  const even = Math.max(1, Math.floor(free / queues.length))
  const taken = new Map<string, number>()
  const quotas: Quota[] = []
  for (const queue of queues) {
    if (free <= 0) break
    const own = taken.get(queue.orgId) ?? 0
    const limit = Math.min(free, even, shareOf(queue, slots, own))
    if (limit <= 0) continue
    quotas.push({ queue: queue.name, limit })
    taken.set(queue.orgId, own + limit)
    free -= limit
  }
  return quotas
}

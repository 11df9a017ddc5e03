import type { Databases } from '#server/platform/db/db.ts'
import type { AnyKind } from '../job.ts'
import { boundsOf, type Queue, readQueue } from '../lane.ts'
import type { Pacing, PacingParts } from '../pacing/pacing.ts'
import type { JobStore } from '../store.ts'
import { maxOf } from './preparing.ts'
import { dealSlots, freeSlotsOf, type Slots, shareOf } from './quota.ts'

interface QueueSearchParts {
  readonly databases: Pick<Databases, 'read'>
  readonly store: Pick<JobStore, 'listQueues'>
  readonly running: PacingParts['running']
  readonly pacing: Pick<Pacing, 'readPaces' | 'slotsFor'>
}

interface Servable {
  readonly queues: readonly Queue[]
  readonly slots: Slots
}

const queuesAtOnce = 64
/** Pages of full or paused queues that are examined per call. */
const pagesAtOnce = 16

/** Finds the queues to claim from next, so that organizations take turns. */
export function createQueueSearch({ databases, store, running, pacing }: QueueSearchParts) {
  const { readPaces, slotsFor } = pacing
  /** The queue served or examined last, by lane. */
  const lookedAt = new Map<string, string>()

  const readServable = async (kind: AnyKind, names: readonly string[]): Promise<Servable> => {
    const queues = names.map(readQueue)
    const slots = slotsFor(kind, await readPaces(databases.read, queues))
    return { queues: queues.filter(queue => shareOf(queue, slots) > 0), slots }
  }

  /**
   * Queues of a lane with something to claim and a free slot, beginning after the one served last. However many are
   * paused or full, those behind them are found, if not now then in the next call, which begins where this one ended.
   */
  const nextServable = async (kind: AnyKind, rank: number): Promise<Servable> => {
    const lane = `${kind.name}/${rank}`
    const bounds = boundsOf(kind.name, rank)
    const start = lookedAt.get(lane) ?? bounds.after
    const all = await store.listQueues(databases.read, { ...bounds, limit: queuesAtOnce })
    if (all.length < queuesAtOnce) {
      const inTurn = [...all.filter(name => name > start), ...all.filter(name => name <= start)]
      lookedAt.set(lane, inTurn.at(-1) ?? bounds.after)
      return readServable(kind, inTurn)
    }
    const ways = [{ after: start, end: bounds.end }]
    if (start !== bounds.after) ways.push({ after: bounds.after, end: `${start}!` })
    const found: Queue[] = []
    let pages = 0
    for (const way of ways)
      for (let after = way.after; pages < pagesAtOnce && found.length < queuesAtOnce; ) {
        const names = await store.listQueues(databases.read, { after, end: way.end, limit: queuesAtOnce })
        found.push(...(await readServable(kind, names)).queues)
        after = names.at(-1) ?? after
        lookedAt.set(lane, after)
        pages += 1
        if (names.length < queuesAtOnce) break
      }
    const queues = found.slice(0, queuesAtOnce)
    return { queues, slots: slotsFor(kind, await readPaces(databases.read, queues)) }
  }

  /** Queues of a lane to claim from now. Those without a slot come first next time. */
  const chooseQueues = async (kind: AnyKind, rank: number): Promise<readonly Queue[]> => {
    if (freeSlotsOf(rank, { atOnce: kind.atOnce, running: running(kind) }) <= 0) return []
    const { queues, slots } = await nextServable(kind, rank)
    if (!queues.length) return []
    const quotas = dealSlots(queues, slots, maxOf(kind, rank))
    const last = quotas.at(-1)?.queue
    if (last === undefined) return []
    lookedAt.set(`${kind.name}/${rank}`, last)
    const wanted = new Set(quotas.map(quota => quota.queue))
    return queues.filter(queue => wanted.has(queue.name))
  }

  return { chooseQueues }
}

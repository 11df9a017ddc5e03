import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inSavepoint } from '#server/platform/db/db.ts'
import { isDatabaseTrouble } from '#server/platform/db/faults.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { ManyWrites } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { AnyKind } from '../job.ts'
import { boundsOf, lanes, type Queue, rankOf, readQueue } from '../lane.ts'
import { endAll, outcomeOfError } from '../outcomes/ending.ts'
import { createPacing, type PacingParts } from '../pacing/pacing.ts'
import type { JobStore } from '../store.ts'
import { createBeginning } from './beginning.ts'
import { type Claimed, createPreparing, maxOf, type Taken } from './preparing.ts'
import { createQueueSearch } from './queue-search.ts'
import { dealSlots } from './quota.ts'

type OnClaimed = (claimed: readonly Claimed[]) => Promise<void>

interface ClaimingParts {
  databases: Databases
  writes: Pick<Writes, 'runMany'>
  clock: Clock
  log: Log
  store: JobStore
  owner(): string
  running: PacingParts['running']
  /**
   * Takes slots for claimed jobs inside the claiming transaction, because the next search may run before the commit is
   * known. Not called for jobs claimed in a caller's transaction, where `beginAfterCommit` does it.
   */
  takeSlots(claimed: readonly Claimed[]): void
  freeSlots(claimed: readonly Claimed[]): void
  read(kind: AnyKind, payload: string): unknown
}

/**
 * Claims jobs of a kind: lanes in order, and within a lane organizations in turn, each time beginning after the one
 * served last. A read decides whether there is anything to claim; claiming is one transaction.
 */
export function createClaiming(parts: ClaimingParts) {
  const { databases, log, store } = parts
  const commit = <T>({ rank }: Queue, work: (writes: ManyWrites) => Promise<T>) =>
    parts.writes.runMany(systemActor('jobs'), work, { isForMany: rank === rankOf('bulk') })
  const pacing = createPacing(parts)
  const { readPaces, slotsFor, spendPaces } = pacing
  const { chooseQueues } = createQueueSearch({ ...parts, pacing })
  const preparing = createPreparing(parts)
  const { readJobs, prepare } = preparing

  const take = async (kind: AnyKind, queues: readonly Queue[], trx: Db, most: number) => {
    const paces = await readPaces(trx, queues)
    const quotas = dealSlots(queues, slotsFor(kind, paces), most)
    const rows = await store.claim(trx, quotas, { owner: parts.owner() })
    await spendPaces(
      trx,
      kind,
      rows.map(row => ({ orgId: row.org_id, paceKey: row.pace_key })),
      paces,
    )
    return readJobs(kind, rows)
  }

  const takeAndPrepare = async (
    writes: ManyWrites,
    kind: AnyKind,
    queues: readonly Queue[],
    most: number,
  ): Promise<Taken> => prepare(writes, kind, await take(kind, queues, writes.db, most))

  const claimQueues = async (
    kind: AnyKind,
    queues: readonly Queue[],
    most = maxOf(kind, queues[0]?.rank),
  ): Promise<Taken> => {
    let claimed: readonly Claimed[] = []
    try {
      return await commit(queues[0] as Queue, async writes => {
        const taken = await takeAndPrepare(writes, kind, queues, most)
        claimed = taken.claimed
        parts.takeSlots(claimed)
        return taken
      })
    } catch (error) {
      parts.freeSlots(claimed)
      throw error
    }
  }

  /** If claiming the first job of a queue throws, counts a failed attempt for it, so that those behind it continue. */
  const putOffFirst = (kind: AnyKind, queue: Queue, error: unknown): Promise<void> =>
    commit(queue, async writes => {
      const rows = await store.claim(writes.db, [{ queue: queue.name, limit: 1 }], { owner: parts.owner() })
      const { jobs, unread } = readJobs(kind, rows)
      const results = jobs.map(job => ({ kind, job, outcome: outcomeOfError(kind, job, error) }))
      await endAll(writes, parts.owner(), [...unread, ...results], parts)
    })

  const claimAlone = async (kind: AnyKind, queue: Queue): Promise<Taken> => {
    try {
      return await claimQueues(kind, [queue], 1)
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error
      log.error({ err: error, job: kind.name, orgId: queue.orgId }, 'a job could not be begun')
      await putOffFirst(kind, queue, error)
      return { claimed: [], count: 1 }
    }
  }

  const claimLane = async (kind: AnyKind, queues: readonly Queue[], onClaimed: OnClaimed): Promise<number> => {
    const begin = async ({ claimed, count }: Taken) => {
      await onClaimed(claimed)
      return count
    }
    let taken: Taken
    try {
      taken = await claimQueues(kind, queues)
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error
      log.warn({ err: error, job: kind.name }, 'jobs could not be begun together and are taken one by one')
      let count = 0
      for (const queue of queues) count += await begin(await claimAlone(kind, queue))
      return count
    }
    return begin(taken)
  }

  return {
    /**
     * Kinds with something to claim, and their lanes, whether or not slots are free: one lookup each, and one more.
     */
    async listReady(): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
      const ranksOf = new Map<string, Set<number>>()
      for (let name = await store.findNextQueue(databases.read, ''); name !== undefined; ) {
        const { kind, rank } = readQueue(name)
        ranksOf.set(kind, (ranksOf.get(kind) ?? new Set()).add(rank))
        name = await store.findNextQueue(databases.read, boundsOf(kind, rank).end)
      }
      return ranksOf
    },
    /**
     * Claims as many jobs of these ranks as have slots, lowest rank first; `onClaimed` starts them after the commit.
     * Returns how many.
     */
    async claim(kind: AnyKind, ranks: ReadonlySet<number>, onClaimed: OnClaimed): Promise<number> {
      let count = 0
      for (const rank of [...ranks].sort((a, b) => a - b)) {
        const queues = await chooseQueues(kind, rank)
        if (queues.length) count += await claimLane(kind, queues, onClaimed)
      }
      return count
    },
    /** Queues of the first lane that has something to claim and free slots; empty: none has. */
    async findQueues(kind: AnyKind): Promise<readonly Queue[]> {
      for (const rank of lanes.keys()) {
        const queues = await chooseQueues(kind, rank)
        if (queues.length) return queues
      }
      return []
    },
    /**
     * Claims jobs of these queues inside a caller's transaction. A failure is left to the poller, and does not affect
     * the caller's write.
     */
    async claimWithin(writes: ManyWrites, kind: AnyKind, queues: readonly Queue[]): Promise<readonly Claimed[]> {
      return inSavepoint(
        writes.db,
        async () => (await takeAndPrepare(writes, kind, queues, maxOf(kind, queues[0]?.rank))).claimed,
        error => {
          log.warn({ err: error, job: kind.name }, 'inline job claim failed; the poller will retry')
          return []
        },
      )
    },
    ...createBeginning({ ...parts, pacing, preparing }),
    takeNextFreeMs: pacing.takeNextFreeMs,
  }
}

import type { Clock } from '../clock.ts'
import { isDatabaseTrouble } from '../database/faults.ts'
import { type Databases, type Db, inSavepoint } from '../db.ts'
import { systemActor } from '../events/actors.ts'
import type { ManyWrites, Writes } from '../events/writes.ts'
import type { Log } from '../log.ts'
import type { JobRow } from './add-store.ts'
import type { ClaimedRow } from './claim-store.ts'
import { endAll, noteEnded, outcomeOfError, type Result } from './ending.ts'
import { groupAt, groupRowOf } from './group.ts'
import { type AnyKind, type Job, type JobGroup, perKeyOf, perOrgOf } from './job.ts'
import { boundsOf, lanes, type Queue, rankOf, readQueue } from './lane.ts'
import { freeAfter, paceNow } from './pace.ts'
import type { PaceRow } from './pace-store.ts'
import { dealPlaces, freePlacesOf, type Places, shareOf } from './quota.ts'
import type { JobStore } from './store.ts'

export interface Claimed {
  readonly kind: AnyKind
  readonly job: Job
  readonly ready: unknown
}

interface Taken {
  readonly claimed: Claimed[]
  readonly count: number
}

type OnClaimed = (claimed: readonly Claimed[]) => Promise<void>

interface ClaimingParts {
  databases: Databases
  writes: Pick<Writes, 'runMany'>
  clock: Clock
  log: Log
  store: JobStore
  owner(): string
  /** How many of a kind run in this process: of all, of an organization, or of one pace key of it. */
  running(kind: AnyKind, orgId?: string, paceKey?: string): number
  /**
   * Takes the places of what is claimed, in its transaction: the next one may look before this one's commit is heard.
   * Not asked for what is claimed in somebody else's, who knows when that ends.
   */
  takePlaces(claimed: readonly Claimed[]): void
  freePlaces(claimed: readonly Claimed[]): void
  read(kind: AnyKind, payload: string): unknown
}

const queuesAtOnce = 64
/** So many looks at queues that have no place, before it is somebody else's turn. */
const pagesAtOnce = 16

/** So many are claimed in one commit where each may be written about in it; what goes to many is written about together. */
const preparedAtOnce = 32
const manyAtOnce = 64
const mostOf = (kind: AnyKind, rank: number | undefined): number => {
  if (!kind.claimed) return Number.POSITIVE_INFINITY
  return rank === rankOf('bulk') ? manyAtOnce : preparedAtOnce
}

export const jobOf = (row: ClaimedRow, payload: unknown, group?: JobGroup): Job => ({
  seq: row.seq,
  orgId: row.org_id,
  kind: row.kind,
  rank: row.lane,
  payload,
  attempts: row.attempts,
  orderKey: row.order_key,
  paceKey: row.pace_key,
  uniqueKey: row.unique_key,
  dueAt: row.due_at,
  addedAt: row.added_at,
  group,
})

const claimedRowOf = (row: JobRow, seq: number): ClaimedRow => ({
  seq,
  org_id: row.orgId,
  kind: row.kind,
  lane: row.lane,
  order_key: row.orderKey,
  pace_key: row.paceKey,
  unique_key: row.uniqueKey,
  payload: row.payload,
  attempts: 1,
  due_at: row.dueAt,
  added_at: row.addedAt,
})

interface Begun {
  readonly claimed: readonly Claimed[]
  readonly begun: ReadonlySet<JobRow>
}
const nothing: Begun = { claimed: [], begun: new Set() }

const keyOf = ({ orgId, paceKey }: { orgId: string; paceKey: string }) => `${orgId} ${paceKey}`
const isPaced = (queue: Queue) => queue.paceKey !== ''

/**
 * Takes jobs of one kind: lanes in their order, within a lane every organization in turn, each beginning after the one
 * served last. Reading decides whether there is anything to take; taking is one transaction.
 */
export function createClaiming(parts: ClaimingParts) {
  const { databases, clock, log, store } = parts
  const commit = <T>(work: (writes: ManyWrites) => Promise<T>) => parts.writes.runMany(systemActor('jobs'), work)
  const lookedAt = new Map<string, string>()
  let nextFreeMs = Number.POSITIVE_INFINITY

  const pacesOf = async (db: Db, queues: readonly Queue[]): Promise<ReadonlyMap<string, PaceRow>> => {
    const paced = queues.filter(isPaced)
    const rows = paced.length ? await store.listPaces(db, paced) : []
    return new Map(rows.map(row => [keyOf(row), row]))
  }

  const placesFor = (kind: AnyKind, paces: ReadonlyMap<string, PaceRow>): Places => {
    const nowMs = clock.now().getTime()
    return {
      atOnce: kind.atOnce,
      perOrg: perOrgOf(kind),
      perKey: perKeyOf(kind),
      running: parts.running(kind),
      runningOf: orgId => parts.running(kind, orgId),
      runningOfKey: ({ orgId, paceKey }) => parts.running(kind, orgId, paceKey),
      allowed(queue) {
        if (!isPaced(queue)) return Number.POSITIVE_INFINITY
        const { count, freeMs } = paceNow(paces.get(keyOf(queue)), kind.perSecond, nowMs)
        if (count === 0) nextFreeMs = Math.min(nextFreeMs, freeMs)
        const own = count ? kind.free?.(queue) : undefined
        if (!own) return count
        if (own.count === 0) nextFreeMs = Math.min(nextFreeMs, nowMs + own.inMs)
        return Math.min(count, own.count)
      },
    }
  }

  /**
   * Queues of a lane that have something to claim and a place for it, beginning after the one served last. However many
   * are paused or full, those behind them are found, if not now, then with the next look.
   */
  const listServable = async (kind: AnyKind, rank: number): Promise<Queue[]> => {
    const lane = `${kind.name}/${rank}`
    const bounds = boundsOf(kind.name, rank)
    const start = lookedAt.get(lane) ?? bounds.after
    const ways = [{ after: start, end: bounds.end }]
    if (start !== bounds.after) ways.push({ after: bounds.after, end: `${start}!` })
    const found: Queue[] = []
    let pages = 0
    for (const way of ways)
      for (let after = way.after; pages < pagesAtOnce && found.length < queuesAtOnce; ) {
        const names = await store.listQueues(databases.read, { after, end: way.end, limit: queuesAtOnce })
        const queues = names.map(readQueue)
        const places = placesFor(kind, await pacesOf(databases.read, queues))
        found.push(...queues.filter(queue => shareOf(queue, places) > 0))
        after = names.at(-1) ?? after
        lookedAt.set(lane, after)
        pages += 1
        if (names.length < queuesAtOnce) break
      }
    return found.slice(0, queuesAtOnce)
  }

  /** Remembers what of their paces the claimed ones have used. */
  const spendPaces = async (
    trx: Db,
    kind: AnyKind,
    rows: readonly { readonly orgId: string; readonly paceKey: string }[],
    paces: ReadonlyMap<string, PaceRow>,
  ) => {
    const nowMs = clock.now().getTime()
    const used = Map.groupBy(
      rows.filter(row => row.paceKey !== ''),
      keyOf,
    )
    const saved: PaceRow[] = []
    for (const [key, group] of used) {
      const [{ orgId, paceKey }] = group as [(typeof group)[number]]
      const known = paces.get(key)
      const freeAt = freeAfter(known, kind.perSecond, nowMs, group.length)
      if (freeAt === undefined) continue
      saved.push({ orgId, paceKey, perSecond: known?.perSecond ?? null, freeAt })
      nextFreeMs = Math.min(nextFreeMs, Date.parse(freeAt))
    }
    await store.savePaces(trx, saved)
  }

  /** What of a payload no longer fits its kind is put aside. */
  const readJobs = (
    kind: AnyKind,
    rows: readonly ClaimedRow[],
  ): { jobs: readonly Job[]; unread: readonly Result[] } => {
    const jobs: Job[] = []
    const unread: Result[] = []
    for (const row of rows)
      try {
        jobs.push(jobOf(row, parts.read(kind, row.payload)))
      } catch {
        unread.push({ kind, job: jobOf(row, undefined), outcome: { kind: 'parked', reason: 'PAYLOAD_UNREADABLE' } })
      }
    return { jobs, unread }
  }

  const take = async (kind: AnyKind, queues: readonly Queue[], trx: Db, most: number) => {
    const paces = await pacesOf(trx, queues)
    const quotas = dealPlaces(queues, placesFor(kind, paces), most)
    const rows = await store.claim(trx, quotas, { owner: parts.owner() })
    await spendPaces(
      trx,
      kind,
      rows.map(row => ({ orgId: row.org_id, paceKey: row.pace_key })),
      paces,
    )
    return readJobs(kind, rows)
  }

  const prepare = async (
    writes: ManyWrites,
    kind: AnyKind,
    { jobs, unread }: ReturnType<typeof readJobs>,
  ): Promise<Taken> => {
    const over = [...unread]
    const claimed: Claimed[] = []
    const prepared = jobs.length ? await kind.claimed?.(writes, jobs) : undefined
    for (const job of jobs) {
      const found = prepared?.get(job.seq)
      if (found && 'over' in found) over.push({ kind, job, outcome: found.over })
      else claimed.push({ kind, job, ready: found?.ready })
    }
    await endAll(writes, parts.owner(), over, parts)
    // Those that share a row do so since this very transaction.
    noteEnded(over)
    return { claimed, count: jobs.length + unread.length }
  }

  const takeAndPrepare = async (
    writes: ManyWrites,
    kind: AnyKind,
    queues: readonly Queue[],
    most: number,
  ): Promise<Taken> => prepare(writes, kind, await take(kind, queues, writes.db, most))

  /** In one row, where nobody stands in their lines. */
  const addTogether = async (
    { db }: ManyWrites,
    kind: AnyKind,
    rows: readonly JobRow[],
  ): Promise<{ begun: readonly JobRow[]; jobs: readonly Job[] }> => {
    const begun = await store.listFree(db, rows)
    if (!begun.length) return { begun, jobs: [] }
    const { group, seqOf } = groupAt(
      await store.addGroup(db, groupRowOf(begun), { owner: parts.owner() }),
      begun.length,
    )
    const jobs = begun.map((row, i) => jobOf(claimedRowOf(row, seqOf(i)), parts.read(kind, row.payload), group))
    return { begun, jobs }
  }

  const addEach = async ({ db }: ManyWrites, kind: AnyKind, rows: readonly JobRow[]) => {
    const seqs = await store.addRunning(db, rows, { owner: parts.owner() })
    const begun = rows.filter(({ uniqueKey }) => uniqueKey !== null && seqs.has(uniqueKey))
    const taken = begun.map(row => claimedRowOf(row, seqs.get(row.uniqueKey as string) as number))
    return { begun, ...readJobs(kind, taken) }
  }

  /** Those of a queue for which there is room now and whose lines are free, where nothing of it waits. */
  const addAndTake = async (
    writes: ManyWrites,
    kind: AnyKind,
    queue: Queue,
    rows: readonly JobRow[],
  ): Promise<Begun> => {
    const { db } = writes
    if (rows.some(row => row.uniqueKey === null) || (await store.hasReady(db, queue.name))) return nothing
    const paces = await pacesOf(db, [queue])
    const [quota] = dealPlaces([queue], placesFor(kind, paces), mostOf(kind, queue.rank))
    if (!quota) return nothing
    const some = rows.slice(0, quota.limit)
    const together = kind.beginsTogether && queue.rank === rankOf('bulk') && some.length > 1
    const { begun, ...added } = together
      ? { unread: [], ...(await addTogether(writes, kind, some)) }
      : await addEach(writes, kind, some)
    if (!begun.length) return nothing
    await spendPaces(db, kind, begun, paces)
    const { claimed } = await prepare(writes, kind, added)
    return { claimed, begun: new Set(begun) }
  }

  const claimQueues = async (
    kind: AnyKind,
    queues: readonly Queue[],
    most = mostOf(kind, queues[0]?.rank),
  ): Promise<Taken> => {
    let claimed: readonly Claimed[] = []
    try {
      return await commit(async writes => {
        const taken = await takeAndPrepare(writes, kind, queues, most)
        claimed = taken.claimed
        parts.takePlaces(claimed)
        return taken
      })
    } catch (error) {
      parts.freePlaces(claimed)
      throw error
    }
  }

  /** The first of a queue, whose claim throws, counts as a try of it, so that those behind it go on. */
  const putOffFirst = (kind: AnyKind, queue: Queue, error: unknown): Promise<void> =>
    commit(async writes => {
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

  /**
   * Queues of a lane to take from now. Those that find no place this time are the first of the next.
   */
  const chooseQueues = async (kind: AnyKind, rank: number): Promise<readonly Queue[]> => {
    if (freePlacesOf(rank, { atOnce: kind.atOnce, running: parts.running(kind) }) <= 0) return []
    const queues = await listServable(kind, rank)
    if (!queues.length) return []
    const quotas = dealPlaces(queues, placesFor(kind, await pacesOf(databases.read, queues)), mostOf(kind, rank))
    const last = quotas.at(-1)?.queue
    if (last === undefined) return []
    lookedAt.set(`${kind.name}/${rank}`, last)
    const wanted = new Set(quotas.map(quota => quota.queue))
    return queues.filter(queue => wanted.has(queue.name))
  }

  return {
    /** Kinds that have something to claim, whatever room there is, and in which lanes: a lookup for each and one more. */
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
     * Takes what has room of the lanes of these ranks, the first first; `onClaimed` begins each lane's after its commit.
     * Answers how many were taken.
     */
    async claim(kind: AnyKind, ranks: ReadonlySet<number>, onClaimed: OnClaimed): Promise<number> {
      let count = 0
      for (const rank of [...ranks].sort((a, b) => a - b)) {
        const queues = await chooseQueues(kind, rank)
        if (queues.length) count += await claimLane(kind, queues, onClaimed)
      }
      return count
    },
    /** Queues of the first lane that has something to claim and room for it; none: no lane has. */
    async findQueues(kind: AnyKind): Promise<readonly Queue[]> {
      for (const rank of lanes.keys()) {
        const queues = await chooseQueues(kind, rank)
        if (queues.length) return queues
      }
      return []
    },
    /**
     * Takes what has room of these queues in somebody's transaction. What cannot be begun there is left to the next
     * look: the caller's own write is not harmed.
     */
    async claimWithin(writes: ManyWrites, kind: AnyKind, queues: readonly Queue[]): Promise<readonly Claimed[]> {
      return inSavepoint(
        writes.db,
        async () => (await takeAndPrepare(writes, kind, queues, mostOf(kind, queues[0]?.rank))).claimed,
        error => {
          log.warn({ err: error, job: kind.name }, 'what could be claimed in passing is left to the next look')
          return []
        },
      )
    },
    /**
     * Adds what may begin at once to a queue, claimed, in somebody's transaction; the caller adds the others, to wait.
     * Undefined: it cannot be begun there.
     */
    addWithin(writes: ManyWrites, kind: AnyKind, queue: Queue, rows: readonly JobRow[]): Promise<Begun | undefined> {
      return inSavepoint<Begun | undefined>(
        writes.db,
        () => addAndTake(writes, kind, queue, rows),
        error => {
          log.warn({ err: error, job: kind.name }, 'what could be begun in passing is left to the next look')
          return undefined
        },
      )
    },
    /** When the first pace that held something back lets it go; forgotten once asked. */
    takeNextFreeMs(): number {
      const ms = nextFreeMs
      nextFreeMs = Number.POSITIVE_INFINITY
      return ms
    },
  }
}

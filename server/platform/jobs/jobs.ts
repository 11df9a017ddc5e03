import type { Static, TSchema } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { inTransaction } from '../db/db.ts'
import { isoIn, isoNow } from '../time/clock.ts'
import { inBatches } from '../work/in-batches.ts'
import type { JobRow } from './add-store.ts'
import type { PacedPage } from './change-store.ts'
import { type ForgetPage, forgetJobs, isUnderWay } from './forget-store.ts'
import { countFarAhead, type FarAhead, type KindCount } from './health-store.ts'
import type { AnyKind, Job, JobKind, NewJob } from './job.ts'
import { queueOf, rankOf, readQueue } from './lane.ts'
import { createLease, type Lease, type Presence } from './lease.ts'
import type { LineJob } from './line-store.ts'
import { thisPlace } from './place.ts'
import { createRunner, type RunnerParts } from './runner.ts'
import { jobStore } from './store.ts'

/**
 * What a room does with its kind of jobs. Each is part of the caller's transaction, except what takes none: that is as
 * many commits as it needs. Call `wake` after the commit.
 */
export interface JobQueue<T> {
  /** Adds many at once; those whose unique key is taken are left out. Answers how many were added. */
  add(trx: Db, orgId: string, jobs: readonly NewJob<T>[]): Promise<number>
  /**
   * Adds them and, where nothing stands before them and places are free, claims them in the same commit: their handlers
   * run right after. Wakes who claims otherwise.
   */
  addAndBegin(write: OrgWrite, ...jobs: readonly NewJob<T>[]): Promise<void>
  /** Cancels those of these unique keys, or all of the organization; how running ones end counts for nothing. */
  cancel(trx: Db, orgId: string, uniqueKeys?: readonly string[]): Promise<number>
  /**
   * What is scheduled under a unique key becomes this job, in the same line; where nothing is, what is under the key is
   * cancelled, and the job added.
   */
  replace(trx: Db, orgId: string, changes: readonly { uniqueKey: string; job: NewJob<T> }[]): Promise<void>
  /** Cancels those of the organization, or of these unique keys, that do not run yet; answers their unique keys. */
  cancelWaiting(trx: Db, orgId: string, which: { uniqueKeys?: readonly string[] }): Promise<string[]>
  /** The same for some of a pace, by unique key; answers the keys in their order, fewer than the limit at the end. */
  cancelPaced(trx: Db, orgId: string, page: PacedPage): Promise<string[]>
  /** The one every other of an order key waits for, and those of these unique keys; in their order. */
  listLine(db: Db, orgId: string, orderKey: string, uniqueKeys: readonly string[]): Promise<LineJob[]>
  /** Of these order keys those in whose lines nobody stands, whatever their kind. */
  listFree(trx: Db, orgId: string, orderKeys: readonly string[]): Promise<string[]>
  /** What somebody waited for has happened: those of this reason, or of any, are due now. */
  hasten(trx: Db, orgId: string, reason?: string): Promise<number>
  /** As if so much more time had passed for those that are due later: due and added earlier. */
  bringForward(orgId: string, ms: number): Promise<void>
  /** Deletes those of the organization, whatever their state; how running ones end counts for nothing. */
  deleteAll(orgId: string): Promise<void>
  /** Which of these an owner runs still, by `seq`: what was given away while it stood still is another's. */
  listHeld(trx: Db, owner: string, jobs: readonly Job[]): Promise<ReadonlySet<number>>
  wake(): void
}

export interface Jobs {
  /** Takes a kind on, once, before `start`. */
  register<S extends TSchema, P>(kind: JobKind<S, P>): JobQueue<Static<S>>
  /** Deletes those in which somebody is named, some at a time. @see forgetJobs */
  forget(trx: Db, orgId: string, page: ForgetPage): Promise<{ last: number | null; isRunning: boolean }>
  /** Whether something of these order keys is under way. */
  isUnderWay(db: Db, orgId: string, orderKeys: readonly string[]): Promise<boolean>
  /** Something was committed that may be run now. */
  wake(): void
  /** Nothing of this pace key starts for so long. */
  rest(trx: Db, orgId: string, paceKey: string, ms: number): Promise<void>
  /** Starts a second from now on; null: the kind's own rate again. */
  setPace(trx: Db, orgId: string, paceKey: string, perSecond: number | null): Promise<void>
  /** Work that one process at a time does; by name, the same in every process. */
  lease(name: string): Lease
  readonly presence: Presence
  /** So many processes are at work on these jobs, as of the last sign of life. */
  processes(): number
  /** What is registered here, whatever waits of it. */
  kinds(): readonly AnyKind[]
  /** What waits, of every kind. */
  health(): Promise<KindCount[]>
  /** What a clock that ran ahead has left. */
  farAhead(): Promise<FarAhead>
  /** Deletes what ended longer ago than it is kept; answers how many went. */
  prune(): Promise<number>
  start(): void
  /**
   * Claims nothing more, breaks off what has no grace, lets the rest end for some seconds, writes how they ended, and
   * gives back what did not.
   */
  stop(): Promise<void>
  /** Resolves when nothing is due and nothing runs. For tests. */
  idle(): Promise<void>
  /** As if the time between two signs of life had passed. For tests. */
  beat(): Promise<void>
}

const keptMs = 24 * 60 * 60 * 1000
const deletedAtOnce = 500
/** Some ten milliseconds of the one writer. */
const changedAtOnce = 500

export type JobsParts = Omit<RunnerParts, 'store' | 'place'> & {
  place?: RunnerParts['place']
}

/** Everything that waits, of every room. */
export function createJobs(given: JobsParts): Jobs {
  const { place = thisPlace(given.databases.signals), ...rest } = given
  const parts: RunnerParts = { ...rest, place, store: jobStore }
  const { databases, clock, store } = parts
  const runner = createRunner(parts)

  const rowOf = (kind: AnyKind, orgId: string, job: NewJob<unknown>, now: string): JobRow => {
    if (!runner.check(kind.name, job.payload)) throw new Error(`A payload does not fit the job ${kind.name}`)
    const lane = job.lane ?? kind.lane ?? 'bot'
    const { orderKey = null, paceKey = '', uniqueKey = null, dueAt = now } = job
    const isLater = dueAt > now
    return {
      orgId,
      kind: kind.name,
      lane: rankOf(lane),
      queue: queueOf({ kind: kind.name, lane, orgId, paceKey }),
      orderKey,
      paceKey,
      uniqueKey,
      payload: JSON.stringify(job.payload),
      state: isLater ? 'scheduled' : 'waiting',
      dueAt,
      addedAt: now,
      blocked: !isLater && orderKey !== null ? 1 : 0,
    }
  }

  return {
    register(given) {
      const kind = given as unknown as AnyKind
      if (!/^[a-zA-Z.-]+$/.test(kind.name)) throw new Error(`No name for a kind of job: ${kind.name}`)
      runner.register(kind, kind.payload)
      return {
        async add(trx, orgId, jobs) {
          const now = isoNow(clock)
          return store.add(
            trx,
            jobs.map(job => rowOf(kind, orgId, job, now)),
          )
        },
        async addAndBegin(write, ...jobs) {
          const { db, orgId } = write
          const now = isoNow(clock)
          const rows = jobs.map(job => rowOf(kind, orgId, job, now))
          const isDue = rows.every(row => row.state === 'waiting')
          const left: JobRow[] = []
          for (const [queue, own] of Map.groupBy(rows, row => row.queue)) {
            const begun = isDue ? await runner.addWith(write, kind, readQueue(queue), own) : undefined
            left.push(...own.filter(row => !begun?.has(row)))
          }
          if (!left.length || !(await store.add(db, left))) return
          let isBegun = isDue
          for (const [queue, own] of Map.groupBy(left, row => row.queue))
            if (isBegun) isBegun = (await runner.claimWith(write, kind, readQueue(queue))) >= own.length
          if (!isBegun) write.afterCommit(runner.kick)
        },
        cancel: (trx, orgId, uniqueKeys) =>
          store.cancel(trx, orgId, { kind: kind.name, ...(uniqueKeys ? { uniqueKeys } : {}) }, isoNow(clock)),
        async replace(trx, orgId, changes) {
          if (!changes.length) return
          const now = isoNow(clock)
          const rows = changes.map(({ uniqueKey, job }) => ({ uniqueKey, row: rowOf(kind, orgId, job, now) }))
          const later = rows.flatMap(({ uniqueKey, row: { state, uniqueKey: nextKey, payload, dueAt, addedAt } }) =>
            state === 'scheduled' && nextKey !== null
              ? [{ uniqueKey, next: { uniqueKey: nextKey, payload, dueAt, addedAt } }]
              : [],
          )
          const moved = await store.reschedule(trx, orgId, kind.name, later)
          const others = rows.filter(({ uniqueKey }) => !moved.has(uniqueKey))
          if (others.length) {
            const uniqueKeys = others.map(({ uniqueKey }) => uniqueKey)
            await store.cancel(trx, orgId, { kind: kind.name, uniqueKeys }, now)
            await store.add(
              trx,
              others.map(({ row }) => row),
            )
          }
        },
        cancelWaiting: (trx, orgId, which) =>
          store.cancelWaiting(trx, orgId, { ...which, kind: kind.name }, isoNow(clock)),
        cancelPaced: (trx, orgId, page) => store.cancelPaced(trx, orgId, { ...page, kind: kind.name }, isoNow(clock)),
        listLine: (db, orgId, orderKey, uniqueKeys) =>
          store.listLine(db, orgId, { kind: kind.name, orderKey, uniqueKeys }),
        listFree: async (trx, orgId, orderKeys) => {
          const lines = orderKeys.map(orderKey => ({ orgId, orderKey }))
          return (await store.listFree(trx, lines)).map(({ orderKey }) => orderKey)
        },
        hasten: (trx, orgId, reason) => store.hasten(trx, orgId, { kind: kind.name, reason }, isoNow(clock)),
        async bringForward(orgId, ms) {
          const addedBy = isoNow(clock)
          let after = 0
          await inBatches(changedAtOnce, async limit => {
            const page = { kind: kind.name, after, limit, addedBy, ms }
            const { count, last } = await inTransaction(databases, trx => store.bringForward(trx, orgId, page))
            after = last
            return count
          })
        },
        async deleteAll(orgId) {
          await inBatches(changedAtOnce, limit =>
            inTransaction(databases, trx => store.deleteKind(trx, orgId, { kind: kind.name, limit })),
          )
        },
        async listHeld(trx, owner, jobs) {
          return store.listOwned(
            trx,
            owner,
            jobs.map(({ seq }) => seq),
          )
        },
        wake: runner.kick,
      }
    },
    forget: forgetJobs,
    isUnderWay,
    wake: runner.kick,
    rest: (trx, orgId, paceKey, ms) => store.restUntil(trx, { orgId, paceKey, until: isoIn(clock, ms) }),
    setPace: (trx, orgId, paceKey, perSecond) =>
      store.setPerSecond(trx, { orgId, paceKey, perSecond, now: isoNow(clock) }),
    kinds: runner.kinds,
    farAhead: () => countFarAhead(databases.read, { clock, kinds: runner.kinds() }),
    health: () => store.count(databases.read, runner.names(), isoNow(clock)),
    lease: name => createLease(name, { databases, store, owner: runner.owner, begun: runner.begun }),
    presence: { id: runner.owner, isAtWork: store.isAtWork },
    processes: runner.processes,
    prune() {
      const before = isoIn(clock, -keptMs)
      return inBatches(deletedAtOnce, limit => store.deleteFinished(databases.write, before, limit))
    },
    start: runner.start,
    stop: runner.stop,
    idle: runner.idle,
    beat: runner.beat,
  }
}

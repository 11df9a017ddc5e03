import type { Static, TSchema } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { traceText } from '#server/platform/log/trace.ts'
import { isoIn, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import type { AnyKind, Job, JobKind, NewJob } from './job.ts'
import { queueOf, rankOf, readQueue } from './lane.ts'
import { createLease, type Lease, type Presence } from './lease.ts'
import type { JobRow } from './rows/add-store.ts'
import type { PacedPage } from './rows/change-store.ts'
import { type ForgetPage, forgetJobs, isUnderWay } from './rows/forget-store.ts'
import { countFarAhead, type FarAhead, type KindCount } from './rows/health-store.ts'
import type { LineJob } from './rows/line-store.ts'
import { createRunner, type RunnerParts } from './runner/runner.ts'
import { jobStore } from './store.ts'
import { thisHost } from './workers/process-host.ts'

/**
 * A feature's jobs of one kind. Calls take part in the caller's transaction; those without one use as many commits as
 * needed. Call `wake` after the commit.
 */
export interface JobQueue<T> {
  /** Adds jobs; those whose unique key exists are skipped. Returns how many were added. */
  add(trx: Db, orgId: string, jobs: readonly NewJob<T>[]): Promise<number>
  /**
   * Adds jobs and, if their line is empty and slots are free, claims them in the same commit and runs them right after
   * it. Otherwise wakes the runner.
   */
  addAndBegin(write: OrgWrite, ...jobs: readonly NewJob<T>[]): Promise<void>
  /** Cancels jobs with these unique keys, or all of the organization. The outcome of running ones is ignored. */
  cancel(trx: Db, orgId: string, uniqueKeys?: readonly string[]): Promise<number>
  /**
   * Replaces a scheduled job with this unique key, in the same line. Without a scheduled one, cancels jobs with the key
   * and adds the job.
   */
  replace(trx: Db, orgId: string, changes: readonly { uniqueKey: string; job: NewJob<T> }[]): Promise<void>
  /** Cancels jobs that are not running, of the organization or with these unique keys; returns their unique keys. */
  cancelWaiting(trx: Db, orgId: string, which: { uniqueKeys?: readonly string[] }): Promise<string[]>
  /**
   * Cancels a page of jobs of one pace key that are not running, ordered by unique key. Returns the cancelled keys;
   * fewer than the limit on the last page.
   */
  cancelPaced(trx: Db, orgId: string, page: PacedPage): Promise<string[]>
  /** The first job of a line, and those with these unique keys, in order. */
  listLine(db: Db, orgId: string, orderKey: string, uniqueKeys: readonly string[]): Promise<LineJob[]>
  /** Returns the order keys whose line is empty, for all kinds of jobs. */
  listFree(trx: Db, orgId: string, orderKeys: readonly string[]): Promise<string[]>
  /** Makes jobs that wait for this reason, or for any, due now. */
  hasten(trx: Db, orgId: string, reason?: string): Promise<number>
  /** Moves jobs that are due later, and their time of adding, earlier by `ms`. */
  bringForward(orgId: string, ms: number): Promise<void>
  /** Deletes the organization's jobs in every state. The outcome of running ones is ignored. */
  deleteAll(orgId: string): Promise<void>
  /** Returns, by `seq`, the jobs that the owner still runs. A job may have been given to another process meanwhile. */
  listHeld(trx: Db, owner: string, jobs: readonly Job[]): Promise<ReadonlySet<number>>
  wake(): void
}

export interface Jobs {
  /** Registers a kind, once, before `start`. */
  register<S extends TSchema, P>(kind: JobKind<S, P>): JobQueue<Static<S>>
  /** Deletes a page of jobs that mention a person. @see forgetJobs */
  forget(trx: Db, orgId: string, page: ForgetPage): Promise<{ last: number | null; isRunning: boolean }>
  /** True if a job with one of these order keys is running, in any process. */
  isUnderWay(db: Db, orgId: string, orderKeys: readonly string[]): Promise<boolean>
  /** Something was committed that can run now. */
  wake(): void
  /** Pauses a pace key. */
  rest(trx: Db, orgId: string, paceKey: string, ms: number): Promise<void>
  /** Sets starts per second; null: the kind's rate. */
  setPace(trx: Db, orgId: string, paceKey: string, perSecond: number | null): Promise<void>
  /** Work that one process does at a time; the name is the same in every process. */
  lease(name: string): Lease
  readonly presence: Presence
  /** The number of live processes, by their last heartbeats. */
  processes(): number
  /** All registered kinds. */
  kinds(): readonly AnyKind[]
  /** Counts of waiting jobs of every kind. */
  health(): Promise<KindCount[]>
  /** Rows written by a clock that was ahead. */
  farAhead(): Promise<FarAhead>
  /** Deletes jobs whose retention has passed; returns how many. */
  prune(): Promise<number>
  start(): void
  /**
   * Claims nothing more, aborts what has no grace, gives the rest some seconds, writes outcomes, and releases what did
   * not end.
   */
  stop(): Promise<void>
  /** Resolves when nothing is due and nothing runs. For tests. */
  idle(): Promise<void>
  /** Acts as if the time between two heartbeats had passed. For tests. */
  beat(): Promise<void>
}

const keptMs = 24 * 60 * 60 * 1000
const deletedAtOnce = 500
/** About ten milliseconds of the single writer. */
const changedAtOnce = 500

type JobsParts = Omit<RunnerParts, 'store' | 'host'> & {
  host?: RunnerParts['host']
}

/** Background work of all features. */
export function createJobs(given: JobsParts): Jobs {
  const { host = thisHost(given.databases.signals), ...rest } = given
  const parts: RunnerParts = { ...rest, host, store: jobStore }
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
      trace: traceText(),
      blocked: !isLater && orderKey !== null ? 1 : 0,
    }
  }

  return {
    register(given) {
      const kind = given as unknown as AnyKind
      if (!/^[a-zA-Z.-]+$/.test(kind.name)) throw new Error(`Invalid name of a job kind: ${kind.name}`)
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

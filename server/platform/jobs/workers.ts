import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '../db/db.ts'
import { systemActor } from '../events/actors.ts'
import type { Writes } from '../events/writes.ts'
import { reasonOf } from '../http/reason.ts'
import type { Log } from '../log/log.ts'
import { type Clock, monotonicMs } from '../time/clock.ts'
import type { ClaimedRow } from './claim-store.ts'
import { endAll, outcomeOfDeath, type Result } from './ending.ts'
import { type AnyKind, type Job, retriesWithinMs } from './job.ts'
import type { ProcessPlace } from './place.ts'
import { jobOf } from './preparing.ts'
import type { JobStore } from './store.ts'
import type { AddedAheadPage } from './times-store.ts'

interface WorkersParts {
  databases: Databases
  writes: Pick<Writes, 'runMany'>
  clock: Clock
  log: Log
  ids: () => string
  store: JobStore
  place: ProcessPlace
  kindOf(name: string): AnyKind | undefined
  kinds(): readonly AnyKind[]
  read(kind: AnyKind, payload: string): unknown
  /** Whether this process runs the job, or has yet to write its end. */
  isKnown(seq: number): boolean
  /** A clock that never jumps. */
  monotonicMs?(): number
}

/**
 * A process whose row does not change for this long while another watches it is dead, or hangs and must not continue.
 */
const leaseMs = 50_000
export const beatMs = 10_000
/** Interval of heartbeats. */
const renewMs = 20_000
/** A heartbeat that is later than this is made up at the next check. */
const lateMs = 10_000
/** A heartbeat this shortly before the next moment is not repeated in it. */
const leastMs = 1_000

/**
 * Time until the next heartbeat. All processes send theirs at the same moment of the clock: each is a commit, after
 * which every process's cache is invalid, and of four processes they would otherwise come four times as often.
 */
export const untilRenewal = (now: Date): number => {
  const rest = renewMs - (now.getTime() % renewMs)
  return rest < leastMs ? rest + renewMs : rest
}
/**
 * The longest time between two checks that counts as watched. A process that hung, or could not read, has not observed
 * the others.
 */
const watchedMs = 2 * beatMs
const rowsAtOnce = 32
/** Jobs due within this after the last heartbeat are made due when the clock was set back. */
const soonMs = 60_000
const calledBackAtOnce = 500
const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))
/** More than a process ever runs at once. */
const maxRunning = 2_000

/**
 * Tracks live processes: each has a row that it updates. Jobs of a dead process are released, those of a live one
 * never. On one machine a dead process is known at once, otherwise when its row has not changed for the length of a
 * lease, by the observer's monotonic clock: no machine's time of day decides who is alive.
 */
export function createWorkers(parts: WorkersParts) {
  const { databases, clock, log, store, place, monotonicMs: passedMs = monotonicMs } = parts
  let id = ''
  let renewedAt = 0
  let renewedMs = 0
  /** Time of day of the last check. */
  let lookedAt = 0
  /** The last heartbeat of each other process, and for how long this process has observed no change. */
  const sightings = new Map<string, { readonly seenAt: string; readonly silentMs: number }>()
  let watchedAt = passedMs()
  /** Live processes at the last check, including this one. */
  let known = 1
  /** At the last check, jobs that the database says are running here, but that this process does not know. */
  let unknownBefore: ReadonlySet<number> = new Set()

  const register = async () => {
    id = parts.ids()
    const now = clock.now()
    await store.insertWorker(databases.write, { id, place: place.name, pid: place.pid, seenAt: now.toISOString() })
    renewedAt = now.getTime()
    renewedMs = passedMs()
    lookedAt = renewedAt
    await bringBackAdded()
    await callBackFarAhead()
  }

  /**
   * Reschedules jobs that are due further ahead than their kind allows: a clock that was ahead wrote them, here or in an
   * earlier process.
   */
  const callBackFarAhead = async () => {
    const now = clock.now()
    const later = (ms: number) => new Date(now.getTime() + ms).toISOString()
    const bounds = parts.kinds().flatMap(kind => {
      const isKept = kind.keepsTime !== undefined
      const { name, looksWithinMs: ms } = kind
      return [
        { kind: name, state: 'scheduled' as const, after: later(ms + soonMs), dueAt: later(isKept ? ms : 0) },
        { kind: name, state: 'retrying' as const, after: later(retriesWithinMs(kind) + soonMs), dueAt: later(0) },
      ]
    })
    for (const bound of await store.listKindsFarAhead(databases.read, bounds))
      for (let count = calledBackAtOnce; count === calledBackAtOnce; ) {
        count = await store.callBackFarAhead(databases, { ...bound, limit: calledBackAtOnce })
        log.warn(
          { job: bound.kind, jobs: count },
          'jobs were due too far ahead, because a clock was ahead; they are rescheduled',
        )
        if (count === calledBackAtOnce) await nextTurn()
      }
  }

  /** If a clock was ahead when a job with a delay was added, the delay starts now. */
  const bringBackAdded = async () => {
    const now = clock.now().toISOString()
    const addedBy = new Date(clock.now().getTime() + soonMs).toISOString()
    for (const { name: kind, keepsTime } of parts.kinds())
      for (let isMore = keepsTime === 'fromAdding', after: AddedAheadPage['after']; isMore; ) {
        const page = { kind, now, addedBy, after, limit: calledBackAtOnce }
        const { moved, next } = await store.bringBackAdded(databases, page)
        if (moved)
          log.warn({ job: kind, jobs: moved }, 'jobs were added while a clock was ahead; their delay starts now')
        after = next
        isMore = next !== undefined
        if (isMore) await nextTurn()
      }
  }

  /** If the clock was set back by hours, a job due in a second would wait for hours. Makes such jobs due now. */
  const callBackSoon = async (now: string, lastAt: number) => {
    const until = new Date(lastAt + soonMs).toISOString()
    const kinds = parts.kinds().flatMap(kind => (kind.keepsTime ? [] : [kind.name]))
    log.warn({ from: new Date(lastAt).toISOString() }, 'the clock was set back: jobs due soon run now')
    await store.freePaces(databases.write, { now, until })
    const which = { kinds, now, until, limit: calledBackAtOnce }
    while ((await store.callBack(databases.write, which)) === calledBackAtOnce) await nextTurn()
    await bringBackAdded()
    await callBackFarAhead()
  }

  /** False: other processes declared this one dead. */
  const renew = async (): Promise<boolean> => {
    const now = clock.now()
    const lastAt = renewedAt
    if (!(await store.beat(databases.write, id, now.toISOString()))) return false
    renewedAt = now.getTime()
    renewedMs = passedMs()
    if (lastAt - renewedAt > leastMs) await callBackSoon(now.toISOString(), lastAt)
    else await callBackFarAhead()
    return true
  }

  /**
   * Checked every second and whenever there is work, so that a clock that jumps ahead and back between heartbeats is
   * noticed.
   */
  const watchClock = async () => {
    const now = clock.now()
    const lastAt = lookedAt
    lookedAt = now.getTime()
    if (lastAt - lookedAt > leastMs) await callBackSoon(now.toISOString(), lastAt)
  }
  const isAtWork = (): Promise<boolean> =>
    passedMs() - renewedMs < renewMs + lateMs ? store.isAtWork(databases.read, id) : renew()

  /** Records the heartbeat of a process. Returns whether the process is dead. */
  const recordSighting = (
    worker: { id: string; place: string | null; pid: number; seenAt: string },
    sinceLookMs: number,
  ) => {
    if (worker.id === id) return false
    if (place.isAlone) return true
    if (place.name !== null && worker.place === place.name && place.isGone(worker.pid)) return true
    const { id: other, seenAt } = worker
    const known = sightings.get(other)
    const silentMs = known?.seenAt === seenAt ? known.silentMs + sinceLookMs : 0
    sightings.set(other, { seenAt, silentMs })
    return silentMs > leaseMs
  }

  const forgetDead = async () => {
    const all = await store.listWorkers(databases.read)
    const now = passedMs()
    const sinceLookMs = Math.min(now - watchedAt, watchedMs)
    watchedAt = now
    const dead: typeof all = []
    for (const worker of all) if (recordSighting(worker, sinceLookMs)) dead.push(worker)
    known = Math.max(1, all.length - dead.length)
    for (const known of sightings.keys()) if (!all.some(worker => worker.id === known)) sightings.delete(known)
    if (!dead.length) return
    const ids = dead.map(worker => worker.id)
    // As a transaction it waits for those in which one of them claims jobs.
    await inTransaction(databases, trx => store.forgetWorkers(trx, ids))
    log.warn({ workers: dead.length }, 'a job worker died; its jobs are released')
  }

  /** How a lost job ends; empty for a kind that this process does not know. */
  const resultsOf = (row: ClaimedRow): Result[] => {
    const kind = parts.kindOf(row.kind)
    if (!kind) return []
    try {
      const job = jobOf(row, parts.read(kind, row.payload))
      return [{ kind, job, outcome: outcomeOfDeath(kind, job) }]
    } catch {
      return [{ kind, job: jobOf(row, undefined), outcome: { kind: 'parked', reason: 'PAYLOAD_UNREADABLE' } }]
    }
  }

  /** Jobs that certainly did not begin are released without counting the attempt. */
  const releaseUnbegun = async (db: Db, results: readonly Result[]): Promise<readonly Result[]> => {
    const unbegun = new Set<Job>()
    for (const [kind, some] of Map.groupBy(results, result => result.kind)) {
      const jobs = some.flatMap(({ job, outcome }) => (outcome.kind === 'parked' ? [] : [job]))
      const found = jobs.length ? await kind.unbegun?.(db, jobs) : undefined
      for (const job of jobs) if (found?.has(job.seq)) unbegun.add(job)
    }
    return results.map(result =>
      unbegun.has(result.job) ? { ...result, outcome: { kind: 'released' as const } } : result,
    )
  }

  const end = async (by: string, results: readonly Result[]) => {
    const commit = (some: readonly Result[], isFailed = false) =>
      parts.writes.runMany(systemActor('jobs'), async writes =>
        endAll(writes, by, isFailed ? some : await releaseUnbegun(writes.db, some), parts),
      )
    try {
      await commit(results)
    } catch {
      for (const result of results)
        await commit([result]).catch(error =>
          commit([{ ...result, outcome: { kind: 'failed', reason: reasonOf(error) } }], true),
        )
    }
  }

  /**
   * A commit whose answer was lost may have claimed jobs that this process does not know. Decided at the second check,
   * because a job that is being claimed is known a moment later.
   */
  const releaseUnknown = async () => {
    const running = await store.listRunningOf(databases.read, id, maxRunning)
    const unknown = running.filter(row => !parts.isKnown(row.seq))
    const results = unknown.filter(row => unknownBefore.has(row.seq)).flatMap(resultsOf)
    unknownBefore = new Set(unknown.map(row => row.seq))
    if (!results.length) return
    log.warn({ jobs: results.length }, 'jobs were claimed by a commit whose answer was lost; they are released')
    await end(id, results)
  }

  /** Releases some jobs of one owner at a time, so that a thousand do not block anybody. True: there may be more. */
  const releaseSomeLost = async (): Promise<boolean> => {
    const rows = await store.listLost(databases.write, rowsAtOnce)
    const owner = rows[0]?.owner
    if (owner === undefined) return false
    const results = rows.filter(row => row.owner === owner).flatMap(resultsOf)
    // Jobs of kinds that this process does not know are left to others.
    if (!results.length) return false
    log.warn({ jobs: results.length }, 'releasing jobs of a dead process')
    await end(owner, results)
    return rows.length === rowsAtOnce
  }

  return {
    id: () => id,
    count: () => known,
    register,
    watchClock,
    /** Sends a heartbeat; the next check finds out whether others gave this process up. */
    async renew() {
      await renew()
    },
    /** Checks whether this process still counts as alive, and releases jobs of dead ones. */
    async beat() {
      if (!(await isAtWork())) {
        log.error('this process hung for so long that its jobs were given to others')
        await register()
      }
      await forgetDead()
      while (await releaseSomeLost()) await nextTurn()
      await releaseUnknown()
    },
    async leave() {
      if (id) await store.forgetWorkers(databases.write, [id])
    },
  }
}

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
  /** Whether this process runs it, or has yet to write how it ended. */
  isKnown(seq: number): boolean
  /** Milliseconds that never jump. */
  monotonicMs?(): number
}

/** A process whose row does not change while this one watches it for so long has died, or stands still and must not go on. */
const leaseMs = 50_000
export const beatMs = 10_000
/** Its row is renewed so often. */
const renewMs = 20_000
/** A renewal that is late by more is made at the next look. */
const lateMs = 10_000
/** The last renewals of a second are no reason to make another one in it. */
const leastMs = 1_000

/**
 * Until when the next renewal waits: all processes make theirs at the same moment of the clock. Each is a commit, after
 * which every process takes what it remembers for old, and of four they would come four times as often.
 */
export const untilRenewal = (now: Date): number => {
  const rest = renewMs - (now.getTime() % renewMs)
  return rest < leastMs ? rest + renewMs : rest
}
/** Between two looks at most so much counts as watched: who stood still, or could not read, saw nobody be silent. */
const watchedMs = 2 * beatMs
const rowsAtOnce = 32
/** By so much what a put-back clock holds up was due after the last renewal. */
const soonMs = 60_000
const calledBackAtOnce = 500
const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))
/** More than a process ever runs at once. */
const mostRunning = 2_000

/**
 * Who works: each process is a row that it renews. The jobs of one that is gone are given back; those of a living
 * neighbour never. On one machine a process is known to be gone at once, else when its row has stood still for the length
 * of a lease, by the monotonic clock of whoever watches it: no machine's time of day decides who is alive.
 */
export function createWorkers(parts: WorkersParts) {
  const { databases, clock, log, store, place, monotonicMs: passedMs = monotonicMs } = parts
  let id = ''
  let renewedAt = 0
  let renewedMs = 0
  /** The time of day when it was looked last. */
  let lookedAt = 0
  /** What the rows of others said last, and for how long this process has watched them say that. */
  const sightings = new Map<string, { readonly seenAt: string; readonly silentMs: number }>()
  let watchedAt = passedMs()
  /** At work at the last look, this one included. */
  let known = 1
  /** Running by the database and unknown here, when it was looked at last. */
  let unheard: ReadonlySet<number> = new Set()

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

  /** What is due later than its kind ever is was written by a clock that ran ahead, here or in a process before. */
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
        log.warn({ job: bound.kind, jobs: count }, 'jobs due later than they ever are look now')
        if (count === calledBackAtOnce) await nextTurn()
      }
  }

  /** What is to come so long after it was added, and was added by a clock that ran ahead, comes so long from now. */
  const bringBackAdded = async () => {
    const now = clock.now().toISOString()
    const addedBy = new Date(clock.now().getTime() + soonMs).toISOString()
    for (const { name: kind, keepsTime } of parts.kinds())
      for (let isMore = keepsTime === 'fromAdding', after: AddedAheadPage['after']; isMore; ) {
        const page = { kind, now, addedBy, after, limit: calledBackAtOnce }
        const { moved, next } = await store.bringBackAdded(databases, page)
        if (moved) log.warn({ job: kind, jobs: moved }, 'jobs added later than now are due as long from now')
        after = next
        isMore = next !== undefined
        if (isMore) await nextTurn()
      }
  }

  /** The clock was put back by hours: what was to look again in a second would wait as long. */
  const callBackSoon = async (now: string, lastAt: number) => {
    const until = new Date(lastAt + soonMs).toISOString()
    const kinds = parts.kinds().flatMap(kind => (kind.keepsTime ? [] : [kind.name]))
    log.warn({ from: new Date(lastAt).toISOString() }, 'the clock was put back: what looks again soon looks now')
    await store.freePaces(databases.write, { now, until })
    const which = { kinds, now, until, limit: calledBackAtOnce }
    while ((await store.callBack(databases.write, which)) === calledBackAtOnce) await nextTurn()
    await bringBackAdded()
    await callBackFarAhead()
  }

  /** False: others have given this process up. */
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

  /** Asked each second and whenever there is work, so that a clock that jumps ahead and back between renewals is seen. */
  const watchClock = async () => {
    const now = clock.now()
    const lastAt = lookedAt
    lookedAt = now.getTime()
    if (lastAt - lookedAt > leastMs) await callBackSoon(now.toISOString(), lastAt)
  }
  const isAtWork = (): Promise<boolean> =>
    passedMs() - renewedMs < renewMs + lateMs ? store.isAtWork(databases.read, id) : renew()

  const isDead = (worker: { id: string; place: string | null; pid: number; seenAt: string }, sinceLookMs: number) => {
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
    const dead = all.filter(worker => isDead(worker, sinceLookMs))
    known = Math.max(1, all.length - dead.length)
    for (const known of sightings.keys()) if (!all.some(worker => worker.id === known)) sightings.delete(known)
    if (!dead.length) return
    const ids = dead.map(worker => worker.id)
    // As a transaction it waits for those in which one of them takes work.
    await inTransaction(databases, trx => store.forgetWorkers(trx, ids))
    log.warn({ workers: dead.length }, 'a process at work is gone: its jobs are given back')
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

  /** What is known not to have begun was never tried, and goes again. */
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
   * A commit whose answer was lost on the way may have claimed jobs that nobody here knows of. Known at the second look: one
   * that is claimed just now is known a moment later.
   */
  const giveBackUnheard = async () => {
    const running = await store.listRunningOf(databases.read, id, mostRunning)
    const unknown = running.filter(row => !parts.isKnown(row.seq))
    const results = unknown.filter(row => unheard.has(row.seq)).flatMap(resultsOf)
    unheard = new Set(unknown.map(row => row.seq))
    if (!results.length) return
    log.warn({ jobs: results.length }, 'jobs were claimed by a commit that was not heard of, and are given back')
    await end(id, results)
  }

  /** Some rows of one owner at a time, so that a history of a thousand costs nobody a second. True: there may be more. */
  const giveBackSome = async (): Promise<boolean> => {
    const rows = await store.listLost(databases.write, rowsAtOnce)
    const owner = rows[0]?.owner
    if (owner === undefined) return false
    const results = rows.filter(row => row.owner === owner).flatMap(resultsOf)
    // Kinds nobody here knows any more stay with whoever knows them.
    if (!results.length) return false
    log.warn({ jobs: results.length }, 'jobs of a process that is gone are given back')
    await end(owner, results)
    return rows.length === rowsAtOnce
  }

  return {
    id: () => id,
    count: () => known,
    register,
    watchClock,
    /** Says that this process lives; the next look finds out if others gave it up. */
    async renew() {
      await renew()
    },
    /** Looks whether this process counts among the living, and gives back what dead ones held. */
    async beat() {
      if (!(await isAtWork())) {
        log.error('this process stood still for so long that its jobs were given away')
        await register()
      }
      await forgetDead()
      while (await giveBackSome()) await nextTurn()
      await giveBackUnheard()
    },
    async leave() {
      if (id) await store.forgetWorkers(databases.write, [id])
    },
  }
}

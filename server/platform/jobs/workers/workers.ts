import { inTransaction } from '#server/platform/db/db.ts'
import { monotonicMs } from '#server/platform/time/clock.ts'
import type { AnyKind } from '../job.ts'
import { createClockJumps } from './clock-jumps.ts'
import { createLostJobs, type LostJobsParts } from './lost-jobs.ts'
import type { ProcessHost } from './process-host.ts'

interface WorkersParts extends LostJobsParts {
  ids: () => string
  host: ProcessHost
  kinds(): readonly AnyKind[]
  /** A clock that never jumps. */
  monotonicMs?(): number
}

/**
 * A process whose row does not change for this long while another watches it is dead, or hangs and must not continue.
 */
const leaseMs = 50_000
/** Interval of the checks whether a heartbeat is due and whether other processes live. */
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
const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

/**
 * Tracks live processes: each has a row that it updates. Jobs of a dead process are released, those of a live one
 * never. On one machine a dead process is known at once, otherwise when its row has not changed for the length of a
 * lease, by the observer's monotonic clock: no machine's time of day decides who is alive.
 */
export function createWorkers(parts: WorkersParts) {
  const { databases, clock, log, store, host, monotonicMs: passedMs = monotonicMs } = parts
  const jumps = createClockJumps(parts)
  const lost = createLostJobs(parts)
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

  const register = async () => {
    id = parts.ids()
    const now = clock.now()
    await store.insertWorker(databases.write, { id, host: host.name, pid: host.pid, seenAt: now.toISOString() })
    renewedAt = now.getTime()
    renewedMs = passedMs()
    lookedAt = renewedAt
    await jumps.correctAll()
  }

  /** False: other processes declared this one dead. */
  const renew = async (): Promise<boolean> => {
    const now = clock.now()
    const lastAt = renewedAt
    if (!(await store.beat(databases.write, id, now.toISOString()))) return false
    renewedAt = now.getTime()
    renewedMs = passedMs()
    if (!(await jumps.correctIfSetBack(lastAt, now))) await jumps.callBackFarAhead()
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
    await jumps.correctIfSetBack(lastAt, now)
  }
  const isAtWork = (): Promise<boolean> =>
    passedMs() - renewedMs < renewMs + lateMs ? store.isAtWork(databases.read, id) : renew()

  /** Records the heartbeat of a process. Returns whether the process is dead. */
  const recordSighting = (
    worker: { id: string; host: string | null; pid: number; seenAt: string },
    sinceLookMs: number,
  ) => {
    if (worker.id === id) return false
    if (host.isAlone) return true
    if (host.name !== null && worker.host === host.name && host.isGone(worker.pid)) return true
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
      while (await lost.releaseSomeLost()) await nextTurn()
      await lost.releaseUnknown(id)
    },
    async leave() {
      if (id) await store.forgetWorkers(databases.write, [id])
    },
  }
}

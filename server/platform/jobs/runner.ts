import type { ManyWrites, OrgWrite } from '#server/platform/events/write.ts'
import { type Databases, inTransaction } from '../db/db.ts'
import type { Writes } from '../events/writes.ts'
import type { Log } from '../log/log.ts'
import { type Clock, isoNow } from '../time/clock.ts'
import type { JobRow } from './add-store.ts'
import { createClaiming } from './claiming.ts'
import type { Result } from './ending.ts'
import { createHeartbeat } from './heartbeat.ts'
import type { AnyKind } from './job.ts'
import { createKinds } from './kinds.ts'
import type { Queue } from './lane.ts'
import type { ProcessPlace } from './place.ts'
import { createPlaces } from './places.ts'
import type { Claimed } from './preparing.ts'
import { runOne } from './run-one.ts'
import { createSettling } from './settling.ts'
import type { JobStore } from './store.ts'
import { createWorkers } from './workers.ts'

export interface RunnerParts {
  databases: Databases
  writes: Pick<Writes, 'runMany'>
  clock: Clock
  log: Log
  ids: () => string
  store: JobStore
  place: ProcessPlace
  /** A clock that never jumps; tests pass their own. */
  monotonicMs?(): number
}

/** A missed wake-up costs this long. */
const longestSleepMs = 1_000
const troubleMs = 1_000
/** How long calls with grace may take at the end. */
const graceMs = 7_000
/** After the grace, for writing outcomes. */
const deafMs = 500
/** Limits one statement, which cannot be interrupted. */
const stagedAtOnce = 200

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

/** Claims, runs and ends jobs of all registered kinds as long as places are free, in one loop. */
export function createRunner(parts: RunnerParts) {
  const { databases, clock, log, store } = parts
  const kinds = createKinds()
  const places = createPlaces()
  const calls = new Map<number, Promise<void>>()
  /** Claimed in the transaction that added them, until that is committed and they have begun. */
  const beginnings = new Set<Promise<void>>()
  const atOnce = new AbortController()
  const afterGrace = new AbortController()
  let running: Promise<void> | undefined
  let isAgain = false
  let isStarted = false
  let isStopping = false
  let sleepTimer: NodeJS.Timeout | undefined

  const isKnown = (seq: number) => places.has(seq) || calls.has(seq)
  const workers = createWorkers({
    ...parts,
    kindOf: kinds.of,
    kinds: kinds.all,
    read: kinds.read,
    isKnown,
  })
  const owner = () => workers.id()

  const findNext = async (results: readonly Result[]) => {
    if (isStopping) return undefined
    places.free(results)
    const found: { kind: AnyKind; queues: readonly Queue[] }[] = []
    for (const kind of new Set(results.map(result => result.kind))) {
      const queues = await claiming.findQueues(kind)
      if (queues.length) found.push({ kind, queues })
    }
    if (!found.length) return undefined
    return async (writes: ManyWrites) => {
      for (const { kind, queues } of found) {
        const claimed = await claiming.claimWithin(writes, kind, queues)
        if (claimed[0]) beginAfterCommit(writes.of(claimed[0].job.orgId), claimed)
      }
    }
  }

  const settling = createSettling({
    ...parts,
    owner,
    findNext,
    underWay: places.size,
    onSettled(results) {
      places.free(results)
      for (const { job } of results) calls.delete(job.seq)
      kick()
    },
  })
  const claiming = createClaiming({
    ...parts,
    owner,
    read: kinds.read,
    takePlaces: places.take,
    freePlaces: places.free,
    running: places.count,
  })

  const begin = async (claimed: readonly Claimed[]) => {
    for (const one of claimed) {
      const nextTurn = databases.turn.giveWay()
      if (nextTurn) await nextTurn
      const { kind, job } = one
      if (isStopping && !kind.hasGrace) {
        settling.add({ kind, job, outcome: { kind: 'released' } })
        continue
      }
      calls.set(
        job.seq,
        runOne(one, {
          ...parts,
          signal: (kind.hasGrace ? afterGrace : atOnce).signal,
          isStopping: () => isStopping,
        }).then(outcome => settling.add({ kind, job, outcome })),
      )
    }
  }

  /** Starts jobs that were claimed in a caller's transaction. */
  const beginAfterCommit = (write: OrgWrite, claimed: readonly Claimed[]) => {
    places.take(claimed)
    const end = Promise.withResolvers<'commit' | 'rollback'>()
    write.afterCommit(() => end.resolve('commit'))
    write.afterRollback(() => end.resolve('rollback'))
    const beginning = end.promise
      .then(ending => {
        if (ending === 'commit') return begin(claimed)
        places.free(claimed)
        return undefined
      })
      .finally(() => beginnings.delete(beginning))
    beginnings.add(beginning)
  }

  const claimAll = async (): Promise<number> => {
    let taken = 0
    const ready = await claiming.listReady()
    for (const kind of kinds.all()) {
      const ranks = ready.get(kind.name)
      if (!isStopping && ranks) taken += await claiming.claim(kind, ranks, begin)
    }
    return taken
  }

  /** Staged in slices, with claiming in between, however many jobs fall due at once. */
  const stageDue = async () => {
    for (;;) {
      const now = isoNow(clock)
      const dueAt = await store.nextDueAt(databases.read)
      if (dueAt === undefined || dueAt > now || isStopping) return dueAt
      const count = await inTransaction(databases, trx => store.stageDue(trx, now, stagedAtOnce))
      if (count === stagedAtOnce) await claimAll()
      await nextTurn()
    }
  }

  const work = async () => {
    try {
      let dueAt: string | undefined
      do {
        isAgain = false
        await workers.watchClock()
        dueAt = await stageDue()
        while (!isStopping && (await claimAll())) await nextTurn()
      } while (isAgain && !isStopping)
      const now = clock.now().getTime()
      const nextMs = Math.min(
        claiming.takeNextFreeMs(),
        dueAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(dueAt),
      )
      sleep(nextMs - now)
    } catch (error) {
      log.error({ err: error }, 'staging jobs failed; retrying')
      isAgain = false
      sleep(troubleMs)
    }
  }

  const sleep = (ms: number) => {
    clearTimeout(sleepTimer)
    if (isStopping) return
    sleepTimer = setTimeout(kick, Math.max(1, Math.min(longestSleepMs, ms)))
    sleepTimer.unref()
  }

  const kick = () => {
    isAgain = true
    if (!isStarted || isStopping || running) return
    running = nextTurn()
      .then(work)
      .finally(() => {
        running = undefined
        if (isAgain) kick()
      })
  }

  const heart = createHeartbeat({ workers, clock, log, kick })

  const enter = async () => {
    for (;;) {
      if (isStopping) return
      try {
        await workers.register()
        break
      } catch (error) {
        log.error({ err: error }, 'job runner failed; retrying')
        await new Promise(resolve => setTimeout(resolve, troubleMs))
      }
    }
    isStarted = true
    await heart.beat()
    if (isStopping) return
    heart.start()
    kick()
  }

  let beginning: Promise<void> | undefined
  const settled = async () => {
    while (running || heart.beating() || settling.isBusy() || calls.size || beginnings.size) {
      await running
      await heart.beating()
      await Promise.all(beginnings)
      await Promise.all(calls.values())
      await settling.finish()
    }
  }

  return {
    register: kinds.register,
    check: kinds.check,
    names: kinds.names,
    kinds: kinds.all,
    /** This process's id; empty before it is registered. */
    owner,
    processes: workers.count,
    begun: async () => beginning,
    kick,
    beat: heart.beat,
    /**
     * Adds jobs as claimed inside a caller's transaction, if they can begin. Returns which; undefined: none, and
     * another attempt there is useless.
     */
    async addWith(
      write: OrgWrite,
      kind: AnyKind,
      queue: Queue,
      rows: readonly JobRow[],
    ): Promise<ReadonlySet<JobRow> | undefined> {
      if (!isStarted || isStopping) return undefined
      const added = await claiming.addWithin({ db: write.db, of: () => write }, kind, queue, rows)
      if (added?.claimed.length) beginAfterCommit(write, added.claimed)
      return added?.begun
    },
    /**
     * Claims jobs of a queue in the transaction that added to it. Returns how many; the rest is claimed when places are
     * freed.
     */
    async claimWith(write: OrgWrite, kind: AnyKind, queue: Queue): Promise<number> {
      if (!isStarted || isStopping) return 0
      const writes: ManyWrites = { db: write.db, of: () => write }
      const claimed = await claiming.claimWithin(writes, kind, [queue])
      if (claimed.length) beginAfterCommit(write, claimed)
      return claimed.length
    },
    start() {
      beginning ??= enter()
    },
    async stop() {
      isStopping = true
      clearTimeout(sleepTimer)
      await beginning
      heart.stop()
      const reason = new Error('shutting down')
      atOnce.abort(reason)
      const late = setTimeout(() => afterGrace.abort(reason), graceMs)
      settling.stop()
      let giveUp: NodeJS.Timeout | undefined
      const deaf = new Promise<void>(resolve => {
        giveUp = setTimeout(resolve, graceMs + deafMs)
      })
      // A handler that ignores the signal stays claimed by a dead process, and is released as such.
      await Promise.race([settled(), deaf])
      clearTimeout(late)
      clearTimeout(giveUp)
      await heart.renewing()
      await workers.leave().catch(error => log.warn({ err: error }, 'unregistering this job worker failed'))
    },
    async idle() {
      await beginning
      kick()
      await settled()
    },
  }
}

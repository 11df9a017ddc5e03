import type { Databases } from '#server/platform/db/db.ts'
import type { ManyWrites, OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { createClaiming } from '../claiming/claiming.ts'
import type { AnyKind } from '../job.ts'
import type { Queue } from '../lane.ts'
import type { Result } from '../outcomes/ending.ts'
import { createSettling } from '../outcomes/settling.ts'
import type { JobRow } from '../rows/add-store.ts'
import type { JobStore } from '../store.ts'
import { createHeartbeat } from '../workers/heartbeat.ts'
import type { ProcessHost } from '../workers/process-host.ts'
import { createWorkers } from '../workers/workers.ts'
import { createKinds } from './kinds.ts'
import { createPollLoop } from './poll-loop.ts'
import { createPolling } from './polling.ts'
import { createRunning } from './running.ts'
import { createSlots } from './slots.ts'

export interface RunnerParts {
  databases: Databases
  writes: Pick<Writes, 'runMany'>
  clock: Clock
  log: Log
  ids: () => string
  store: JobStore
  host: ProcessHost
  /** A clock that never jumps; tests pass their own. */
  monotonicMs?(): number
}

/** Between two attempts to register this process. */
const troubleMs = 1_000
/** Calls with grace may take this long at the end. */
const graceMs = 7_000
/** After the grace, for writing outcomes. */
const deafMs = 500

/** Claims, runs and ends jobs of all registered kinds as long as slots are free, in one loop. */
export function createRunner(parts: RunnerParts) {
  const { databases, clock, log } = parts
  const stop = new AbortController()
  const stopping = stop.signal
  const kinds = createKinds()
  const slots = createSlots()
  const workers = createWorkers({
    ...parts,
    kindOf: kinds.of,
    kinds: kinds.all,
    read: kinds.read,
    isKnown: (seq): boolean => slots.has(seq) || running.has(seq),
  })
  const owner = (): string => workers.id()

  /** Claims in the commit of an end what can run in the slot that it frees. */
  const findNext = async (results: readonly Result[]) => {
    if (stopping.aborted) return undefined
    slots.free(results)
    const found: { kind: AnyKind; queues: readonly Queue[] }[] = []
    for (const kind of new Set(results.map(result => result.kind))) {
      const queues = await claiming.findQueues(kind)
      if (queues.length) found.push({ kind, queues })
    }
    if (!found.length) return undefined
    return async (writes: ManyWrites) => {
      for (const { kind, queues } of found) {
        const claimed = await claiming.claimWithin(writes, kind, queues)
        if (claimed[0]) running.beginAfterCommit(writes.of(claimed[0].job.orgId), claimed)
      }
    }
  }

  const settling = createSettling({
    ...parts,
    owner,
    findNext,
    underWay: slots.size,
    onSettled(results) {
      slots.free(results)
      running.forget(results)
      loop.kick()
    },
  })
  const running = createRunning({ databases, log, slots, stopping, onEnd: settling.add })
  const claiming = createClaiming({
    ...parts,
    owner,
    read: kinds.read,
    takeSlots: slots.take,
    freeSlots: slots.free,
    running: slots.count,
  })

  const polling = createPolling({ ...parts, stopping, workers, claiming, kinds: kinds.all, begin: running.begin })
  const loop = createPollLoop({ log, stopping, ...polling })
  const heart = createHeartbeat({ workers, clock, log, kick: loop.kick })

  const enter = async () => {
    for (;;) {
      if (stopping.aborted) return
      try {
        await workers.register()
        break
      } catch (error) {
        log.error({ err: error }, 'job runner failed; retrying')
        await new Promise(resolve => setTimeout(resolve, troubleMs))
      }
    }
    loop.start()
    await heart.beat()
    if (stopping.aborted) return
    heart.start()
    loop.kick()
  }

  let beginning: Promise<void> | undefined
  const settled = async () => {
    while (loop.polling() || heart.beating() || settling.isBusy() || running.isBusy()) {
      await loop.polling()
      await heart.beating()
      await running.finish()
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
    kick: loop.kick,
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
      if (!loop.isStarted() || stopping.aborted) return undefined
      const added = await claiming.addWithin({ db: write.db, of: () => write }, kind, queue, rows)
      if (added?.claimed.length) running.beginAfterCommit(write, added.claimed)
      return added?.begun
    },
    /**
     * Claims jobs of a queue in the transaction that added to it. Returns how many; the rest is claimed when slots are
     * freed.
     */
    async claimWith(write: OrgWrite, kind: AnyKind, queue: Queue): Promise<number> {
      if (!loop.isStarted() || stopping.aborted) return 0
      const writes: ManyWrites = { db: write.db, of: () => write }
      const claimed = await claiming.claimWithin(writes, kind, [queue])
      if (claimed.length) running.beginAfterCommit(write, claimed)
      return claimed.length
    },
    start() {
      beginning ??= enter()
    },
    async stop() {
      stop.abort()
      loop.stop()
      await beginning
      heart.stop()
      const cancelAbort = running.abort(graceMs)
      settling.stop()
      let giveUp: NodeJS.Timeout | undefined
      const deaf = new Promise<void>(resolve => {
        giveUp = setTimeout(resolve, graceMs + deafMs)
      })
      // A handler that ignores the signal stays claimed by a dead process, and is released as such.
      await Promise.race([settled(), deaf])
      cancelAbort()
      clearTimeout(giveUp)
      await heart.renewing()
      await workers.leave().catch(error => log.warn({ err: error }, 'unregistering this job worker failed'))
    },
    async idle() {
      await beginning
      loop.kick()
      await settled()
    },
  }
}

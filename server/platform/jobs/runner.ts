import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ManyWrites, OrgWrite } from '#server/platform/events/write.ts'
import { type Databases, inTransaction } from '../db/db.ts'
import type { Writes } from '../events/writes.ts'
import type { Log } from '../log/log.ts'
import { type Clock, isoNow } from '../time/clock.ts'
import type { JobRow } from './add-store.ts'
import { createClaiming } from './claiming.ts'
import { outcomeOfError, type Result } from './ending.ts'
import type { AnyKind, Job, Outcome } from './job.ts'
import type { Queue } from './lane.ts'
import type { ProcessPlace } from './place.ts'
import type { Claimed } from './preparing.ts'
import { createSettling } from './settling.ts'
import type { JobStore } from './store.ts'
import { beatMs, createWorkers, untilRenewal } from './workers.ts'

export interface RunnerParts {
  databases: Databases
  writes: Pick<Writes, 'runMany'>
  clock: Clock
  log: Log
  ids: () => string
  store: JobStore
  place: ProcessPlace
  /** Milliseconds that never jump; tests have their own. */
  monotonicMs?(): number
}

/** A wake that was forgotten, or came to another process, costs this long. */
const longestSleepMs = 1_000
const troubleMs = 1_000
/** As long as calls with grace may take at the end. */
const graceMs = 7_000
/** After the grace, for what must still be written. */
const deafMs = 500
/** One statement: what it takes nobody can divide. */
const stagedAtOnce = 200

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

/** Claims, runs and ends jobs of the kinds it knows, as long as there is room; one loop for all of them. */
export function createRunner(parts: RunnerParts) {
  const { databases, clock, log, store } = parts
  const kinds = new Map<string, { kind: AnyKind; check: (payload: unknown) => boolean }>()
  const counts = new Map<string, number>()
  /** Jobs that have a place, by `seq`. */
  const placed = new Set<number>()
  const calls = new Map<number, Promise<void>>()
  /** Rows of those that began together, as long as one of them is not over. */
  const groups = new Set<number>()
  /** Claimed with what added them; until their commit is through and they have begun. */
  const beginnings = new Set<Promise<void>>()
  const atOnce = new AbortController()
  const afterGrace = new AbortController()
  let running: Promise<void> | undefined
  let isAgain = false
  let isStarted = false
  let isStopping = false
  let sleepTimer: NodeJS.Timeout | undefined
  let beatTimer: NodeJS.Timeout | undefined
  let renewTimer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined
  let renewing: Promise<void> | undefined

  const read = (kind: AnyKind, text: string): unknown => {
    const payload: unknown = JSON.parse(text)
    if (!kinds.get(kind.name)?.check(payload)) throw new Error(`A row of ${kind.name} does not fit its schema`)
    return payload
  }
  const kindOf = (name: string) => kinds.get(name)?.kind
  const isKnown = (seq: number) => placed.has(seq) || calls.has(seq) || groups.has(seq)
  const workers = createWorkers({
    ...parts,
    kindOf,
    kinds: () => Array.from(kinds.values(), ({ kind }) => kind),
    read,
    isKnown,
  })
  const owner = () => workers.id()

  const countKey = (kind: string, orgId?: string, paceKey?: string) =>
    orgId === undefined ? kind : paceKey === undefined ? `${kind} ${orgId}` : `${kind} ${orgId} ${paceKey}`
  const addCount = (key: string, more: number) => {
    const count = (counts.get(key) ?? 0) + more
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
  /** Hundreds that were claimed together are of one pace and stand in a row. */
  const count = (jobs: readonly Job[], each: 1 | -1) => {
    for (let from = 0; from < jobs.length; ) {
      const { kind, orgId, paceKey } = jobs[from] as Job
      const isAlike = (job: Job) => job.kind === kind && job.orgId === orgId && job.paceKey === paceKey
      let to = from + 1
      while (to < jobs.length && isAlike(jobs[to] as Job)) to += 1
      const more = each * (to - from)
      addCount(kind, more)
      addCount(countKey(kind, orgId), more)
      addCount(countKey(kind, orgId, paceKey), more)
      from = to
    }
  }
  const takePlaces = (claimed: readonly { job: Job }[]) => {
    for (const { job } of claimed) {
      placed.add(job.seq)
      if (job.group) groups.add(job.group.seq)
    }
    count(
      claimed.map(({ job }) => job),
      1,
    )
  }
  /** Once a job, however often it is said. */
  const freePlaces = (over: readonly { job: Job }[]) => {
    const freed = over.flatMap(({ job }) => (placed.delete(job.seq) ? [job] : []))
    count(freed, -1)
  }

  const findNext = async (results: readonly Result[]) => {
    if (isStopping) return undefined
    freePlaces(results)
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
    underWay: () => placed.size,
    onSettled(results) {
      freePlaces(results)
      for (const { job } of results) {
        calls.delete(job.seq)
        if (job.group && job.group.left <= 0) groups.delete(job.group.seq)
      }
      kick()
    },
  })
  const claiming = createClaiming({
    ...parts,
    owner,
    read,
    takePlaces,
    freePlaces,
    running: (kind, orgId, paceKey) => counts.get(countKey(kind.name, orgId, paceKey)) ?? 0,
  })

  const outcomeOf = async ({ kind, job, ready }: Claimed): Promise<Outcome> => {
    try {
      return (await kind.run(job, { ready, signal: (kind.hasGrace ? afterGrace : atOnce).signal })) ?? { kind: 'done' }
    } catch (error) {
      const lost = kind.lost?.(job)
      if (lost) {
        log.error({ err: error, job: kind.name, orgId: job.orgId }, 'a job broke off and counts as lost')
        return lost
      }
      // Broken off because the process ends: as if it had not begun.
      if (isStopping) return { kind: 'released' }
      const outcome = outcomeOfError(kind, job, error)
      const facts = { err: error, job: kind.name, orgId: job.orgId, attempts: job.attempts }
      if (outcome.kind === 'failed') log.error(facts, 'a job has failed for good')
      else log.warn(facts, 'a job will be tried again')
      return outcome
    }
  }

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
        outcomeOf(one).then(outcome => settling.add({ kind, job, outcome })),
      )
    }
  }

  /** Claimed in somebody's transaction. */
  const beginAfterCommit = (write: OrgWrite, claimed: readonly Claimed[]) => {
    takePlaces(claimed)
    const end = Promise.withResolvers<'commit' | 'rollback'>()
    write.afterCommit(() => end.resolve('commit'))
    write.afterRollback(() => end.resolve('rollback'))
    const beginning = end.promise
      .then(ending => {
        if (ending === 'commit') return begin(claimed)
        freePlaces(claimed)
        for (const { job } of claimed) if (job.group) groups.delete(job.group.seq)
        return undefined
      })
      .finally(() => beginnings.delete(beginning))
    beginnings.add(beginning)
  }

  const claimAll = async (): Promise<number> => {
    let taken = 0
    const ready = await claiming.listReady()
    for (const { kind } of kinds.values()) {
      const ranks = ready.get(kind.name)
      if (!isStopping && ranks) taken += await claiming.claim(kind, ranks, begin)
    }
    return taken
  }

  /** However much falls due at once, by whomever: what waits already is claimed between its slices. */
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
      log.error({ err: error }, 'jobs wait for the database')
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

  const beat = (): Promise<void> => {
    beating ??= workers
      .beat()
      .then(kick)
      .catch(error => log.error({ err: error }, 'the process could not say that it lives'))
      .finally(() => {
        beating = undefined
      })
    return beating
  }

  const renewInTurn = () => {
    renewTimer = setTimeout(() => {
      renewing = workers.renew().catch(error => log.error({ err: error }, 'the process could not say that it lives'))
      renewInTurn()
    }, untilRenewal(clock.now())).unref()
  }

  const enter = async () => {
    for (;;) {
      if (isStopping) return
      try {
        await workers.register()
        break
      } catch (error) {
        log.error({ err: error }, 'the runner of jobs waits for the database')
        await new Promise(resolve => setTimeout(resolve, troubleMs))
      }
    }
    isStarted = true
    await beat()
    if (isStopping) return
    beatTimer = setInterval(beat, beatMs)
    beatTimer.unref()
    renewInTurn()
    kick()
  }

  let beginning: Promise<void> | undefined
  const settled = async () => {
    while (running || beating || settling.isBusy() || calls.size || beginnings.size) {
      await running
      await beating
      await Promise.all(beginnings)
      await Promise.all(calls.values())
      await settling.finish()
    }
  }

  return {
    register(kind: AnyKind, schema: TSchema) {
      if (kinds.has(kind.name)) throw new Error(`Two kinds of job are called ${kind.name}`)
      const compiled = Compile(schema)
      kinds.set(kind.name, { kind, check: payload => compiled.Check(payload) })
    },
    check: (name: string, payload: unknown): boolean => kinds.get(name)?.check(payload) ?? false,
    names: () => [...kinds.keys()],
    kinds: (): AnyKind[] => Array.from(kinds.values(), ({ kind }) => kind),
    /** This process among those at work; empty before it is registered. */
    owner,
    processes: workers.count,
    begun: async () => beginning,
    kick,
    beat,
    /**
     * Adds what may begin at once, claimed, in somebody's transaction. Answers which these are; undefined: none, and looking
     * again there is of no use.
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
     * Claims what has room of a queue in the transaction that added to it. Answers how many; what found no room is looked
     * for when those that have it end.
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
      clearInterval(beatTimer)
      clearTimeout(renewTimer)
      const reason = new Error('shutting down')
      atOnce.abort(reason)
      const late = setTimeout(() => afterGrace.abort(reason), graceMs)
      settling.stop()
      let giveUp: NodeJS.Timeout | undefined
      const deaf = new Promise<void>(resolve => {
        giveUp = setTimeout(resolve, graceMs + deafMs)
      })
      // What does not hear the signal stays claimed by a process that is gone, and is given back as such.
      await Promise.race([settled(), deaf])
      clearTimeout(late)
      clearTimeout(giveUp)
      await renewing
      await workers.leave().catch(error => log.warn({ err: error }, 'the end of this process could not be written'))
    },
    async idle() {
      await beginning
      kick()
      await settled()
    },
  }
}

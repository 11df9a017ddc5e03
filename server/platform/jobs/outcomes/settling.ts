import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseTrouble } from '#server/platform/db/faults.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { ManyWrites } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { errorReason } from '#server/platform/http/reason.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, monotonicMs } from '#server/platform/time/clock.ts'
import { rankOf } from '../lane.ts'
import type { JobStore } from '../store.ts'
import { endAll, outcomeOfError, type Result } from './ending.ts'

interface SettlingParts {
  writes: Pick<Writes, 'runMany'>
  clock: Clock
  log: Log
  store: JobStore
  owner(): string
  /**
   * Called for ended jobs before they are written in one commit. Returns a function that claims other jobs in that
   * commit. Undefined: no job waits.
   */
  findNext(results: readonly Result[]): Promise<((writes: ManyWrites) => Promise<void>) | undefined>
  /** Jobs that run, or whose end is not yet committed. */
  underWay(): number
  /** Their ends are committed, or given up. */
  onSettled(results: readonly Result[]): void
}

/** Ends in one commit; fewer if they write something of their own, which takes a dozen statements each. */
const perCommit = 256
const writesPerCommit = 32
/** Ends that waited for each other share their statements. */
const manyPerCommit = 128
const troubleMs = 1000

/** The end of a bulk job waits at most this long for others while other jobs run. */
const ofManyMs = 100
/** The same time for kinds with `endsTogether`. */
const sharedMs = 20
const waitMsOf = ({ kind, job }: Result): number => {
  if (job.rank === rankOf('bulk')) return ofManyMs
  return kind.endsTogether && job.rank !== rankOf('person') ? sharedMs : 0
}

const hasStatements = ({ outcome }: Result) =>
  Boolean(outcome.write ?? outcome.together) || (outcome.kind !== 'done' && outcome.kind !== 'released')

/**
 * Another job may be claimed in the same commit, because nothing that it depends on is written at the end or the claim.
 */
const isPlain = ({ kind, outcome }: Result) =>
  outcome.kind === 'done' && !outcome.write && !kind.claimed && (!outcome.together || kind.isWhole === true)

/** Returns the number of results, counted from the first, that fit in one commit. */
const batchSize = (results: readonly Result[]): number => {
  let writes = 0
  let ofMany = 0
  for (const [i, result] of results.entries()) {
    if (i === perCommit || writes === writesPerCommit || ofMany === manyPerCommit) return i
    if (waitMsOf(result) && result.outcome.together) ofMany += 1
    else if (hasStatements(result)) writes += 1
  }
  return results.length
}

/** Ends jobs in batches: results of one turn of the event loop share a commit. */
export function createSettling(parts: SettlingParts) {
  const { log } = parts
  let open: Result[] = []
  let flushing: Promise<void> | undefined
  let isStopping = false
  /** Callers that wait until no job runs. Pending results are written at once for them. */
  let waiting = 0
  /** The time at which the last commit began, in milliseconds of the monotonic clock. */
  let begunAt = Number.NEGATIVE_INFINITY
  let gathering: { until: number; timer: NodeJS.Timeout; end: () => void } | undefined

  const commit = async (results: readonly Result[]): Promise<void> => {
    const plain = results.filter(isPlain)
    const claimNext = plain.length ? await parts.findNext(plain) : undefined
    const isForMany = results.every(({ job }) => job.rank === rankOf('bulk'))
    await parts.writes.runMany(
      systemActor('jobs'),
      async writes => {
        await endAll(writes, parts.owner(), results, parts)
        await claimNext?.(writes)
      },
      { isForMany },
    )
  }

  /** If the writes of one end fail, it counts as a handler that threw; the others are not affected. */
  const commitAlone = async (result: Result): Promise<void> => {
    try {
      return await commit([result])
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error
      const { kind, job } = result
      log.error({ err: error, job: kind.name, seq: job.seq, orgId: job.orgId }, 'writing the end of a job failed')
      // Its work is done, so a kind with `lost` must not see it run again.
      const outcome = kind.lost?.(job) ?? outcomeOfError(kind, job, error)
      return commit([{ kind, job, outcome }]).catch(again => {
        if (isDatabaseTrouble(again)) throw again
        log.error({ err: again, job: kind.name, seq: job.seq, orgId: job.orgId }, 'a job ended without its writes')
        return commit([{ kind, job, outcome: { kind: 'failed', reason: errorReason(again) } }])
      })
    }
  }

  const settle = async (results: readonly Result[]): Promise<void> => {
    try {
      return await commit(results)
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error
    }
    for (const result of results) await commitAlone(result)
  }

  /** Returns for how long pending results may still wait for others, if none may wait longer than `ms`. */
  const restMs = (ms: number): number => {
    if (open.length >= manyPerCommit) return 0
    // No other job is running. But where jobs come often, the next may begin soon after the last commit.
    if (open.length < parts.underWay()) return ms
    return waiting > 0 ? 0 : Math.min(ms, Math.ceil(begunAt + ms - monotonicMs()))
  }

  /** Results of calls arrive one by one; a commit for each would be hundreds a second. */
  const gather = async () => {
    const ms = restMs(open.reduce((least, result) => Math.min(least, waitMsOf(result)), ofManyMs))
    if (ms <= 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    gathering = { until: monotonicMs() + ms, timer: setTimeout(resolve, ms), end: resolve }
    await promise
    clearTimeout(gathering.timer)
    gathering = undefined
  }

  /** Commits within `waitMs` at the latest. */
  const hurry = (waitMs: number) => {
    if (!gathering) return
    const ms = restMs(waitMs)
    const until = monotonicMs() + ms
    if (ms <= 0) gathering.end()
    else if (until < gathering.until) {
      clearTimeout(gathering.timer)
      gathering.until = until
      gathering.timer = setTimeout(gathering.end, ms)
    }
  }

  const flush = async () => {
    while (open.length) {
      await new Promise(resolve => setImmediate(resolve))
      if (!isStopping) await gather()
      const batch = open.slice(0, batchSize(open))
      open = open.slice(batch.length)
      begunAt = monotonicMs()
      try {
        await settle(batch)
      } catch (error) {
        log.error({ err: error, jobs: batch.length }, 'writing ended jobs failed; retrying')
        // What cannot be written at the end stays claimed by a dead process, and is released as such.
        if (!isStopping) {
          open = [...batch, ...open]
          await pause(troubleMs)
          continue
        }
      }
      parts.onSettled(batch)
    }
    // In the same moment in which nothing more was found, so that later results start another flush.
    flushing = undefined
  }

  return {
    add(result: Result) {
      open.push(result)
      hurry(waitMsOf(result))
      flushing ??= flush()
    },
    isBusy: () => flushing !== undefined,
    /** Resolves when every result is written. While somebody waits here, the last results do not wait for further ones. */
    finish: async () => {
      waiting += 1
      hurry(ofManyMs)
      while (flushing) await flushing
      waiting -= 1
    },
    /** Gives up on a database that accepts nothing. */
    stop() {
      isStopping = true
      hurry(0)
    },
  }
}

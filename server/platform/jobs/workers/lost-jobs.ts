import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { errorReason } from '#server/platform/http/reason.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ClaimedRow } from '../claiming/claim-store.ts'
import { jobOf } from '../claiming/preparing.ts'
import type { AnyKind, Job } from '../job.ts'
import { endAll, outcomeOfDeath, type Result } from '../outcomes/ending.ts'
import type { JobStore } from '../store.ts'

export interface LostJobsParts {
  readonly databases: Databases
  readonly writes: Pick<Writes, 'runMany'>
  readonly clock: Clock
  readonly log: Log
  readonly store: JobStore
  kindOf(name: string): AnyKind | undefined
  read(kind: AnyKind, payload: string): unknown
  /** True if this process runs the job, or has yet to write its end. */
  isKnown(seq: number): boolean
}

const rowsAtOnce = 32
/** More than a process ever runs at once. */
const maxRunning = 2_000

/** Ends jobs that the database says are running, but that no process runs. */
export function createLostJobs(parts: LostJobsParts) {
  const { databases, log, store } = parts
  /** At the last check, jobs that the database says are running here, but that this process does not know. */
  let unknownBefore: ReadonlySet<number> = new Set()

  /** The result is empty for a kind that this process does not know: another release may. */
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
          commit([{ ...result, outcome: { kind: 'failed', reason: errorReason(error) } }], true),
        )
    }
  }

  /**
   * A commit whose answer was lost may have claimed jobs that this process does not know. Decided at the second check,
   * because a job that is being claimed is known a moment later.
   */
  const releaseUnknown = async (id: string) => {
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

  return { releaseSomeLost, releaseUnknown }
}

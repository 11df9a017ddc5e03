import type { Databases } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Log } from '#server/platform/log/log.ts'
import { runWithTrace, traceOf } from '#server/platform/log/trace.ts'
import type { Claimed } from '../claiming/preparing.ts'
import type { Outcome } from '../job.ts'
import { outcomeOfError, type Result } from '../outcomes/ending.ts'
import type { createSlots } from './slots.ts'

interface Run {
  readonly log: Log
  /** The process stops: abort. */
  readonly signal: AbortSignal
  isStopping(): boolean
}

/** Runs a handler; an error becomes an outcome too. */
async function runOne({ kind, job, ready }: Claimed, { log, signal, isStopping }: Run): Promise<Outcome> {
  try {
    return (await runWithTrace(traceOf(job.trace), () => kind.run(job, { ready, signal }))) ?? { kind: 'done' }
  } catch (error) {
    const lost = kind.lost?.(job)
    if (lost) {
      log.error({ err: error, job: kind.name, orgId: job.orgId }, 'a job broke off and counts as lost')
      return lost
    }
    // Aborted because the process stops: as if it had not begun.
    if (isStopping()) return { kind: 'released' }
    const outcome = outcomeOfError(kind, job, error)
    const facts = { err: error, job: kind.name, orgId: job.orgId, attempts: job.attempts }
    if (outcome.kind === 'failed') log.error(facts, 'a job has failed for good')
    else log.warn(facts, 'a job will be tried again')
    return outcome
  }
}

interface RunningParts {
  readonly databases: Pick<Databases, 'turn'>
  readonly log: Log
  readonly slots: Pick<ReturnType<typeof createSlots>, 'take' | 'free'>
  /** Aborted when the process stops: jobs without grace do not begin any more. */
  readonly stopping: AbortSignal
  /** Has the end of a job written. */
  onEnd(result: Result): void
}

/** Runs the handlers of claimed jobs in this process. */
export function createRunning({ databases, log, slots, stopping, onEnd }: RunningParts) {
  /** By `seq`, until the end of the job is written. */
  const calls = new Map<number, Promise<void>>()
  /** Claimed in the transaction that added them, until that is committed and they have begun. */
  const beginnings = new Set<Promise<void>>()
  const withoutGrace = new AbortController()
  const withGrace = new AbortController()

  const begin = async (claimed: readonly Claimed[]) => {
    for (const one of claimed) {
      const nextTurn = databases.turn.giveWay()
      if (nextTurn) await nextTurn
      const { kind, job } = one
      if (stopping.aborted && !kind.hasGrace) {
        onEnd({ kind, job, outcome: { kind: 'released' } })
        continue
      }
      const { signal } = kind.hasGrace ? withGrace : withoutGrace
      calls.set(
        job.seq,
        runOne(one, { log, signal, isStopping: () => stopping.aborted }).then(outcome => onEnd({ kind, job, outcome })),
      )
    }
  }

  return {
    begin,
    /** Starts jobs that were claimed in a caller's transaction. */
    beginAfterCommit(write: OrgWrite, claimed: readonly Claimed[]) {
      slots.take(claimed)
      const end = Promise.withResolvers<'commit' | 'rollback'>()
      write.afterCommit(() => end.resolve('commit'))
      write.afterRollback(() => end.resolve('rollback'))
      const beginning = end.promise
        .then(ending => {
          if (ending === 'commit') return begin(claimed)
          slots.free(claimed)
          return undefined
        })
        .finally(() => beginnings.delete(beginning))
      beginnings.add(beginning)
    },
    has: (seq: number): boolean => calls.has(seq),
    isBusy: (): boolean => calls.size > 0 || beginnings.size > 0,
    /** Their ends are written, or given up. */
    forget(results: readonly Result[]) {
      for (const { job } of results) calls.delete(job.seq)
    },
    /** Resolves when all handlers that run now have returned. */
    async finish() {
      await Promise.all(beginnings)
      await Promise.all(calls.values())
    },
    /** Aborts handlers: those with grace only after that time. Returns a function that cancels the later abort. */
    abort(graceMs: number): () => void {
      const reason = new Error('shutting down')
      withoutGrace.abort(reason)
      const timer = setTimeout(() => withGrace.abort(reason), graceMs)
      return () => clearTimeout(timer)
    },
  }
}

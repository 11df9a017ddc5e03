import type { Log } from '#server/platform/log/log.ts'
import { runWithTrace, traceOf } from '#server/platform/log/trace.ts'
import type { Claimed } from '../claiming/preparing.ts'
import type { Outcome } from '../job.ts'
import { outcomeOfError } from '../outcomes/ending.ts'

interface Run {
  readonly log: Log
  /** The process stops: abort. */
  readonly signal: AbortSignal
  isStopping(): boolean
}

/** Runs a handler; an error becomes an outcome too. */
export async function runOne({ kind, job, ready }: Claimed, { log, signal, isStopping }: Run): Promise<Outcome> {
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

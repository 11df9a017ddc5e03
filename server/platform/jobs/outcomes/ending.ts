import type { ManyWrites } from '#server/platform/events/write.ts'
import { errorReason } from '#server/platform/http/reason.ts'
import { runWithTrace, traceOf } from '#server/platform/log/trace.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { type AnyKind, gapMsOf, type Job, maxDeaths, type Outcome, triesOf } from '../job.ts'
import type { JobStore } from '../store.ts'
import type { Ended } from './end-store.ts'

export interface Result {
  readonly kind: AnyKind
  readonly job: Job
  readonly outcome: Outcome
}

/** The outcome of a handler that threw. */
export const outcomeOfError = (kind: AnyKind, job: Job, error: unknown): Outcome =>
  job.attempts >= triesOf(kind)
    ? { kind: 'failed', reason: errorReason(error) }
    : { kind: 'retry', reason: errorReason(error) }

/** The outcome of a job whose process died, or that its process does not know. */
export const outcomeOfDeath = (kind: AnyKind, job: Job): Outcome => {
  const death = new Error('the process died')
  const lost = kind.lost?.(job)
  if (lost) return lost
  if (!kind.isWhole || job.attempts >= maxDeaths) return outcomeOfError(kind, job, death)
  return { kind: 'retry', afterMs: 0, reason: errorReason(death) }
}

const wayOf = ({ kind, job, outcome }: Result, clock: Clock): Ended['to'] => {
  switch (outcome.kind) {
    case 'done':
      return { state: 'done', isKept: outcome.isKept ?? kind.isKept ?? true }
    case 'retry': {
      const dueAt = isoIn(clock, outcome.afterMs ?? gapMsOf(kind, job.attempts))
      return { state: outcome.letsPass ? 'scheduled' : 'retrying', dueAt, reason: outcome.reason }
    }
    case 'waits':
      return { state: 'scheduled', dueAt: isoIn(clock, outcome.afterMs), reason: outcome.reason, isUncounted: true }
    case 'again':
      if (outcome.afterMs === 0) return { state: 'waiting', isAnew: true }
      return { state: 'scheduled', dueAt: isoIn(clock, outcome.afterMs) }
    case 'failed':
    case 'parked':
      return { state: outcome.kind, reason: outcome.reason }
    case 'released':
    case 'gone':
      return { state: 'waiting' }
  }
}

interface EndingParts {
  readonly store: JobStore
  readonly clock: Clock
}

/** Ends jobs of an owner, with the writes of their outcomes, in the caller's transaction. */
export async function endAll(
  writes: ManyWrites,
  owner: string,
  all: readonly Result[],
  parts: EndingParts,
): Promise<void> {
  const results = all.filter(({ outcome }) => outcome.kind !== 'gone')
  if (!results.length) return
  const { store, clock } = parts
  const ended = results.map(result => ({ seq: result.job.seq, to: wayOf(result, clock) }))
  const mine = await store.end(writes.db, owner, ended, isoNow(clock))
  const over = results.filter(({ job }) => mine.has(job.seq))
  for (const { job, outcome } of over) {
    const { write } = outcome
    if (write) await runWithTrace(traceOf(job.trace), () => write(writes))
  }
  const together = over.flatMap(({ outcome }) => outcome.together ?? [])
  for (const [write, some] of Map.groupBy(together, one => one.write))
    await write(
      writes,
      some.map(({ item }) => item),
    )
}

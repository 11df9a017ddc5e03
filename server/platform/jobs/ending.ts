import type { ManyWrites } from '#server/platform/events/write.ts'
import { reasonOf } from '../http/reason.ts'
import { type Clock, isoIn, isoNow } from '../time/clock.ts'
import type { JobRow } from './add-store.ts'
import type { Ended } from './end-store.ts'
import { ownRowOf } from './group.ts'
import { type AnyKind, gapMsOf, type Job, type JobGroup, mostDeaths, type Outcome, triesOf } from './job.ts'
import type { JobStore } from './store.ts'

export interface Result {
  readonly kind: AnyKind
  readonly job: Job
  readonly outcome: Outcome
}

/** What a handler that threw has brought about. */
export const outcomeOfError = (kind: AnyKind, job: Job, error: unknown): Outcome =>
  job.attempts >= triesOf(kind)
    ? { kind: 'failed', reason: reasonOf(error) }
    : { kind: 'retry', reason: reasonOf(error) }

/** Of one whose process died, or that a process knows nothing of. */
export const outcomeOfDeath = (kind: AnyKind, job: Job): Outcome => {
  const death = new Error('the process died')
  const lost = kind.lost?.(job)
  if (lost) return lost
  if (!kind.isWhole || job.attempts >= mostDeaths) return outcomeOfError(kind, job, death)
  return { kind: 'retry', afterMs: 0, reason: reasonOf(death) }
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

/** Which of those that share a row with others are still an owner's; those that are not done get rows of their own. */
const endShared = async (
  { db }: ManyWrites,
  owner: string,
  results: readonly Result[],
  { store, clock }: EndingParts,
): Promise<{ mine: readonly Result[]; ended: readonly Ended[] }> => {
  const byGroup = Map.groupBy(results, ({ job }) => job.group as JobGroup)
  const owned = await store.listOwned(
    db,
    owner,
    [...byGroup.keys()].map(({ seq }) => seq),
  )
  const mine = results.filter(({ job }) => owned.has(job.group?.seq as number))
  const over = [...byGroup].filter(([{ seq, left }, some]) => owned.has(seq) && some.length >= left)
  const ended: Ended[] = over.map(([{ seq }]) => ({ seq, to: { state: 'done', isKept: false } }))
  const others = mine.filter(({ outcome }) => outcome.kind !== 'done')
  if (!others.length) return { mine, ended }
  const rows = others.map(({ job }) => ownRowOf(job))
  const seqs = await store.addRunning(db, rows, { owner })
  const late: JobRow[] = []
  for (const [i, result] of others.entries()) {
    const row = rows[i] as JobRow
    const to = wayOf(result, clock)
    const seq = seqs.get(row.uniqueKey as string)
    if (seq !== undefined) ended.push({ seq, to })
    // Somebody came into its line meanwhile and goes first. What failed for good has nothing left to do.
    else if (to.state !== 'failed')
      late.push({ ...row, state: 'scheduled', dueAt: 'dueAt' in to ? to.dueAt : isoNow(clock) })
  }
  await store.add(db, late)
  return { mine, ended }
}

/** Ends jobs of an owner with what their outcomes write, in the caller's transaction. */
export async function endAll(
  writes: ManyWrites,
  owner: string,
  all: readonly Result[],
  parts: EndingParts,
): Promise<void> {
  const results = all.filter(({ outcome }) => outcome.kind !== 'gone')
  if (!results.length) return
  const { store, clock } = parts
  const shared = results.filter(({ job }) => job.group)
  const { mine: mineOfShared, ended: endedOfShared } = shared.length
    ? await endShared(writes, owner, shared, parts)
    : { mine: [], ended: [] }
  const single = shared.length ? results.filter(({ job }) => !job.group) : results
  const ended = [...single.map(result => ({ seq: result.job.seq, to: wayOf(result, clock) })), ...endedOfShared]
  const mine = ended.length ? await store.end(writes.db, owner, ended, isoNow(clock)) : new Set<number>()
  const over = [...single.filter(({ job }) => mine.has(job.seq)), ...mineOfShared]
  for (const { outcome } of over) await outcome.write?.(writes)
  const together = over.flatMap(({ outcome }) => outcome.together ?? [])
  for (const [write, some] of Map.groupBy(together, one => one.write))
    await write(
      writes,
      some.map(({ item }) => item),
    )
}

/** Their ends are on disk: of those that share a row so many fewer are left. */
export const noteEnded = (results: readonly Result[]): void => {
  for (const { job } of results) if (job.group) job.group.left -= 1
}

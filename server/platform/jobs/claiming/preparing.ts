import type { ManyWrites } from '#server/platform/events/write.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { AnyKind, Job } from '../job.ts'
import { rankOf } from '../lane.ts'
import { endAll, type Result } from '../outcomes/ending.ts'
import type { JobStore } from '../store.ts'
import type { ClaimedRow } from './claim-store.ts'

export interface Claimed {
  readonly kind: AnyKind
  readonly job: Job
  readonly ready: unknown
}

export interface Taken {
  readonly claimed: Claimed[]
  readonly count: number
}

interface PreparingParts {
  readonly clock: Clock
  readonly store: JobStore
  owner(): string
  read(kind: AnyKind, payload: string): unknown
}

/**
 * Jobs that are claimed in one commit if `claimed` may write for them; for bulk jobs, which it handles together, more.
 */
const preparedAtOnce = 32
const manyAtOnce = 128
export const maxOf = (kind: AnyKind, rank: number | undefined): number => {
  if (!kind.claimed) return Number.POSITIVE_INFINITY
  return rank === rankOf('bulk') ? manyAtOnce : preparedAtOnce
}

export const jobOf = (row: ClaimedRow, payload: unknown): Job => ({
  seq: row.seq,
  orgId: row.org_id,
  kind: row.kind,
  rank: row.lane,
  payload,
  attempts: row.attempts,
  orderKey: row.order_key,
  paceKey: row.pace_key,
  uniqueKey: row.unique_key,
  dueAt: row.due_at,
  addedAt: row.added_at,
  trace: row.trace,
})

/** Prepares jobs in the commit that claims them, and ends those that `claimed` ends. */
export function createPreparing(parts: PreparingParts) {
  /** A payload that no longer matches its kind is parked. */
  const readJobs = (
    kind: AnyKind,
    rows: readonly ClaimedRow[],
  ): { jobs: readonly Job[]; unread: readonly Result[] } => {
    const jobs: Job[] = []
    const unread: Result[] = []
    for (const row of rows)
      try {
        jobs.push(jobOf(row, parts.read(kind, row.payload)))
      } catch {
        unread.push({ kind, job: jobOf(row, undefined), outcome: { kind: 'parked', reason: 'PAYLOAD_UNREADABLE' } })
      }
    return { jobs, unread }
  }

  const prepare = async (
    writes: ManyWrites,
    kind: AnyKind,
    { jobs, unread }: ReturnType<typeof readJobs>,
  ): Promise<Taken> => {
    const over = [...unread]
    const claimed: Claimed[] = []
    const prepared = jobs.length ? await kind.claimed?.(writes, jobs) : undefined
    for (const job of jobs) {
      const found = prepared?.get(job.seq)
      if (found && 'over' in found) over.push({ kind, job, outcome: found.over })
      else claimed.push({ kind, job, ready: found?.ready })
    }
    await endAll(writes, parts.owner(), over, parts)
    return { claimed, count: jobs.length + unread.length }
  }

  return { readJobs, prepare }
}
export type Preparing = ReturnType<typeof createPreparing>

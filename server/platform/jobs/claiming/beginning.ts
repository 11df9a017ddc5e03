import { inSavepoint } from '#server/platform/db/db.ts'
import type { ManyWrites } from '#server/platform/events/write.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { AnyKind } from '../job.ts'
import type { Queue } from '../lane.ts'
import type { Pacing } from '../pacing/pacing.ts'
import type { JobRow } from '../rows/add-store.ts'
import type { JobStore } from '../store.ts'
import type { ClaimedRow } from './claim-store.ts'
import { type Claimed, maxOf, type Preparing } from './preparing.ts'
import { dealSlots } from './quota.ts'

interface BeginningParts {
  readonly log: Log
  readonly store: JobStore
  readonly pacing: Pacing
  readonly preparing: Preparing
  owner(): string
}

const claimedRowOf = (row: JobRow, seq: number): ClaimedRow => ({
  seq,
  org_id: row.orgId,
  kind: row.kind,
  lane: row.lane,
  order_key: row.orderKey,
  pace_key: row.paceKey,
  unique_key: row.uniqueKey,
  payload: row.payload,
  attempts: 1,
  due_at: row.dueAt,
  added_at: row.addedAt,
  trace: row.trace,
})

interface Begun {
  readonly claimed: readonly Claimed[]
  readonly begun: ReadonlySet<JobRow>
}
const nothing: Begun = { claimed: [], begun: new Set() }

/**
 * Begins jobs in the commit that adds them, without searching queues and without changing rows from waiting to running.
 */
export function createBeginning(parts: BeginningParts) {
  const { log, store, pacing } = parts
  const { readJobs, prepare } = parts.preparing

  const addEach = async ({ db }: ManyWrites, kind: AnyKind, rows: readonly JobRow[]) => {
    const seqs = await store.addRunning(db, rows, { owner: parts.owner() })
    const begun = rows.filter(({ uniqueKey }) => uniqueKey !== null && seqs.has(uniqueKey))
    const taken = begun.map(row => claimedRowOf(row, seqs.get(row.uniqueKey as string) as number))
    return { begun, ...readJobs(kind, taken) }
  }

  /** Jobs of a queue that has slots free and nothing waiting, if their line is empty. */
  const addAndTake = async (
    writes: ManyWrites,
    kind: AnyKind,
    queue: Queue,
    rows: readonly JobRow[],
  ): Promise<Begun> => {
    const { db } = writes
    if (rows.some(row => row.uniqueKey === null) || !(await store.mayBegin(db, queue.name, { owner: parts.owner() })))
      return nothing
    const paces = await pacing.readPaces(db, [queue])
    const [quota] = dealSlots([queue], pacing.slotsFor(kind, paces), maxOf(kind, queue.rank))
    if (!quota) return nothing
    const some = rows.slice(0, quota.limit)
    const { begun, ...added } = await addEach(writes, kind, some)
    if (!begun.length) return nothing
    await pacing.spendPaces(db, kind, begun, paces)
    const { claimed } = await prepare(writes, kind, added)
    return { claimed, begun: new Set(begun) }
  }

  return {
    /**
     * Adds jobs to a queue as claimed, inside the caller's transaction; the caller adds the others as waiting.
     * Undefined: none can begin here.
     */
    addWithin(writes: ManyWrites, kind: AnyKind, queue: Queue, rows: readonly JobRow[]): Promise<Begun | undefined> {
      return inSavepoint<Begun | undefined>(
        writes.db,
        () => addAndTake(writes, kind, queue, rows),
        error => {
          log.warn({ err: error, job: kind.name }, 'beginning jobs inline failed; the poller will retry')
          return undefined
        },
      )
    },
  }
}

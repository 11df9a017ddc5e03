import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { createClaiming } from '../claiming/claiming.ts'
import type { Claimed } from '../claiming/preparing.ts'
import type { AnyKind } from '../job.ts'
import type { JobStore } from '../store.ts'
import type { createWorkers } from '../workers/workers.ts'

interface PollingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly store: JobStore
  readonly workers: Pick<ReturnType<typeof createWorkers>, 'watchClock'>
  readonly claiming: Pick<ReturnType<typeof createClaiming>, 'listReady' | 'claim' | 'takeNextFreeMs'>
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal
  kinds(): readonly AnyKind[]
  begin(claimed: readonly Claimed[]): Promise<void>
}

/** Limits one statement, which cannot be interrupted. */
const stagedAtOnce = 200

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

/** One poll: jobs that are due become waiting, and waiting ones are claimed and begun as long as slots are free. */
export function createPolling({ databases, clock, store, workers, claiming, stopping, kinds, begin }: PollingParts) {
  const claimAll = async (): Promise<number> => {
    let taken = 0
    const ready = await claiming.listReady()
    for (const kind of kinds()) {
      const ranks = ready.get(kind.name)
      if (!stopping.aborted && ranks) taken += await claiming.claim(kind, ranks, begin)
    }
    return taken
  }

  /** Staged in slices, with claiming in between, however many jobs fall due at once. */
  const stageDue = async () => {
    for (;;) {
      const now = isoNow(clock)
      const dueAt = await store.nextDueAt(databases.read)
      if (dueAt === undefined || dueAt > now || stopping.aborted) return dueAt
      const count = await inTransaction(databases, trx => store.stageDue(trx, now, stagedAtOnce))
      if (count === stagedAtOnce) await claimAll()
      await nextTurn()
    }
  }

  return {
    /** Returns when the next job is due, as ISO 8601; undefined: none is scheduled. */
    async poll(): Promise<string | undefined> {
      await workers.watchClock()
      const dueAt = await stageDue()
      while (!stopping.aborted && (await claimAll())) await nextTurn()
      return dueAt
    },
    /** For how long nothing can run after a poll: until a job is due, or a rate allows the next one. */
    untilNextMs(dueAt: string | undefined): number {
      const now = clock.now().getTime()
      const dueMs = dueAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(dueAt)
      return Math.min(claiming.takeNextFreeMs(), dueMs) - now
    },
  }
}

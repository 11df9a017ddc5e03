import type { Db } from '#server/platform/db/database.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { Slots } from '../claiming/quota.ts'
import { type AnyKind, perKeyOf, perOrgOf } from '../job.ts'
import type { Queue } from '../lane.ts'
import type { JobStore } from '../store.ts'
import { freeAfter, paceNow } from './pace.ts'
import type { PaceRow } from './pace-store.ts'

export interface PacingParts {
  readonly clock: Clock
  readonly store: Pick<JobStore, 'listPaces' | 'savePaces'>
  /** Jobs of a kind that run in this process: all, those of an organization, or those of one of its pace keys. */
  running(kind: AnyKind, orgId?: string, paceKey?: string): number
}

const keyOf = ({ orgId, paceKey }: { orgId: string; paceKey: string }) => `${orgId} ${paceKey}`
const isPaced = (queue: Queue) => queue.paceKey !== ''

/** Computes how many jobs of each queue may begin by slots and rates, and stores what they use of the rates. */
export function createPacing({ clock, store, running }: PacingParts) {
  let nextFreeMs = Number.POSITIVE_INFINITY

  const readPaces = async (db: Db, queues: readonly Queue[]): Promise<ReadonlyMap<string, PaceRow>> => {
    const paced = queues.filter(isPaced)
    const rows = paced.length ? await store.listPaces(db, paced) : []
    return new Map(rows.map(row => [keyOf(row), row]))
  }

  const slotsFor = (kind: AnyKind, paces: ReadonlyMap<string, PaceRow>): Slots => {
    const nowMs = clock.now().getTime()
    return {
      atOnce: kind.atOnce,
      perOrg: perOrgOf(kind),
      leavesSlots: kind.leavesSlots === true,
      perKey: perKeyOf(kind),
      running: running(kind),
      runningOf: orgId => running(kind, orgId),
      runningOfKey: ({ orgId, paceKey }) => running(kind, orgId, paceKey),
      allowed(queue) {
        if (!isPaced(queue)) return Number.POSITIVE_INFINITY
        const { count, freeMs } = paceNow(paces.get(keyOf(queue)), kind.perSecond, nowMs)
        if (count === 0) nextFreeMs = Math.min(nextFreeMs, freeMs)
        const own = count ? kind.free?.(queue) : undefined
        if (!own) return count
        if (own.count === 0) nextFreeMs = Math.min(nextFreeMs, nowMs + own.inMs)
        return Math.min(count, own.count)
      },
    }
  }

  /** Stores what the claimed jobs used of their rates. */
  const spendPaces = async (
    trx: Db,
    kind: AnyKind,
    rows: readonly { readonly orgId: string; readonly paceKey: string }[],
    paces: ReadonlyMap<string, PaceRow>,
  ) => {
    const nowMs = clock.now().getTime()
    const used = Map.groupBy(
      rows.filter(row => row.paceKey !== ''),
      keyOf,
    )
    const saved: PaceRow[] = []
    for (const [key, group] of used) {
      const [{ orgId, paceKey }] = group as [(typeof group)[number]]
      const known = paces.get(key)
      const freeAt = freeAfter(known, kind.perSecond, nowMs, group.length)
      if (freeAt === undefined) continue
      saved.push({ orgId, paceKey, perSecond: known?.perSecond ?? null, freeAt })
      nextFreeMs = Math.min(nextFreeMs, Date.parse(freeAt))
    }
    await store.savePaces(trx, saved)
  }

  return {
    readPaces,
    slotsFor,
    spendPaces,
    /** The time at which the first held back key is free again, in Unix milliseconds. The call resets it. */
    takeNextFreeMs(): number {
      const ms = nextFreeMs
      nextFreeMs = Number.POSITIVE_INFINITY
      return ms
    },
  }
}
export type Pacing = ReturnType<typeof createPacing>

import type { Db } from '#server/platform/db/database.ts'
import { vendorActor } from '#server/platform/events/actors.ts'
import type { ManyWrites } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { type Lease, LeaseLost } from '#server/platform/jobs/lease.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { isoNow, monotonicMs } from '#server/platform/time/clock.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import type { Applied, AppliedWebhooks } from './applied.ts'
import type { Pace } from './pace.ts'
import { add, noteOf, type Part, type Reading, settledState } from './row-reader.ts'
import { forgetPlace, markApplied, settleRow } from './store.ts'
import type { WebhookTakers } from './takers.ts'
import { keepUntaken, type UntakenItem } from './untaken-store.ts'

export interface ApplyParts {
  clock: Clock
  log: Log
  writes: Pick<Writes, 'runMany'>
  /** Held by the one process that applies the journal in order. */
  lease: Lease
  takers: Pick<WebhookTakers, 'of'>
  appliedWebhooks: AppliedWebhooks
  numbers: {
    /** Stores when webhooks last arrived. Called every few seconds, not for each webhook. */
    touchWebhook(trx: Db, connectionId: string, at: string): Promise<void>
  }
  pace: Pick<Pace, 'committed'>
}

const touchMs = 5000

/** Hands the items of journal rows to their takers, in transactions that also store how far the rows are applied. */
export function createApply({ clock, log, writes, lease, takers, appliedWebhooks, numbers, pace }: ApplyParts) {
  const touched = new Map<string, number>()

  /** Runs in one transaction if this process still holds the lease. */
  const commit = (work: (many: ManyWrites) => Promise<void>): Promise<void> =>
    writes.runMany(vendorActor, async many => {
      if (!(await lease.isHeld(many.db))) throw new LeaseLost()
      await work(many)
    })

  const dueTouches = (readings: readonly Reading[]) => {
    const now = clock.now().getTime()
    const ids = new Set(
      readings.flatMap(({ row, routes }) => [
        ...(row.connectionId ? [row.connectionId] : []),
        // One app may send webhooks of several numbers.
        ...[...routes.values()].flatMap(route => route?.connectionId ?? []),
      ]),
    )
    // If the clock was set back, the last time is later than now.
    return [...ids].filter(id => Math.abs(now - (touched.get(id) ?? 0)) >= touchMs)
  }

  const appliedIn = (readings: readonly Reading[]): Applied[] =>
    readings.flatMap(({ row, routes }) => {
      const orgIds = new Set([...routes.values()].flatMap(route => route?.orgId ?? []))
      return [...orgIds].map(orgId => ({ orgId, seq: row.seq }))
    })

  const applyAll = async (
    many: ManyWrites,
    byOrg: ReadonlyMap<string, readonly WebhookItem[]>,
    untaken: readonly UntakenItem[],
  ) => {
    for (const [orgId, items] of byOrg)
      for (const [taker, own] of Map.groupBy(items, takers.of)) await taker?.apply(many.of(orgId), own)
    if (untaken.length) await keepUntaken(many.db, untaken, isoNow(clock))
  }

  /** Applies the remaining items of these rows and marks them applied, in one transaction. */
  const apply = async (batch: readonly Part[]) => {
    const byOrg = new Map<string, WebhookItem[]>()
    for (const part of batch) for (const [orgId, items] of part.byOrg) for (const item of items) add(byOrg, orgId, item)
    const readings = batch.map(part => part.reading)
    const notes = readings.flatMap(reading => {
      const note = noteOf(reading)
      return note ? [{ seq: reading.row.seq, state: settledState(reading), note }] : []
    })
    const touches = dueTouches(readings)
    let workedUntil = 0
    const untaken = batch.flatMap(part => part.untaken)
    await commit(async many => {
      await applyAll(many, byOrg, untaken)
      await appliedWebhooks.applied(many, appliedIn(readings))
      for (const { seq, state, note } of notes) await settleRow(many.db, seq, state, note)
      await markApplied(
        many.db,
        readings.map(({ row }) => row),
      )
      for (const { row } of readings) if (row.place > 0) await forgetPlace(many.db, row.seq)
      for (const id of touches) await numbers.touchWebhook(many.db, id, isoNow(clock))
      workedUntil = monotonicMs()
    })
    pace.committed(monotonicMs() - workedUntil)
    for (const id of touches) touched.set(id, clock.now().getTime())
    for (const { seq, note } of notes)
      log.warn({ seq, note }, 'a webhook, or a part of it, was not applied: see the note')
  }

  return { commit, applyAll, apply }
}

import type { Databases } from '#server/platform/db/db.ts'
import { isDatabaseTrouble } from '#server/platform/db/faults.ts'
import { errorReason } from '#server/platform/http/reason.ts'
import { LeaseLost } from '#server/platform/jobs/lease.ts'
import { type ApplyParts, createApply } from './apply.ts'
import type { Pace } from './pace.ts'
import { createReader, type Part, type ReaderParts } from './row-reader.ts'
import { recordFault, savePlace, settleRow, type WaitingRow } from './store.ts'
import { journalState } from './table.ts'
import type { createUnderWay, UnderWay } from './underway.ts'

export interface RowApplyingParts extends Omit<ApplyParts, 'pace' | 'numbers'> {
  databases: Databases
  numbers: ReaderParts['numbers'] & ApplyParts['numbers']
  pace: Pace
}

type RowsUnderWay = ReturnType<typeof createUnderWay>

/** After this many transactions of small webhooks, other lines are looked at. */
const slicesPerFetch = 2
const maxAttempts = 5
/** A row that failed is tried again after this time for each of its attempts. */
export const holdStepMs = 1000

/** A database error or a lost lease does not count as a failed attempt of a row. */
const isNoFaultOfRow = (error: unknown): boolean => isDatabaseTrouble(error) || error instanceof LeaseLost

/** Applies rows of the journal, several small ones in a transaction or a large one in parts. Rows that fail are held. */
export function createRowApplying(parts: RowApplyingParts) {
  const { databases, clock, log, pace } = parts
  const { commit, applyAll, apply } = createApply(parts)
  const { begin, readOn, putBack } = createReader(parts)
  /** Rows that failed, until their next attempt. */
  const held = new Map<number, { line: string; untilMs: number }>()

  /** Applies the rest of one row. If that fails, the row is held. */
  const applyOne = async (part: Part) => {
    const { row } = part.reading
    try {
      await apply([part])
    } catch (error) {
      if (isNoFaultOfRow(error)) throw error
      await fault(row, error)
    }
  }

  const fault = async (row: WaitingRow, error: unknown) => {
    const attempts = row.attempts + 1
    log.error({ seq: row.seq, attempts, err: error }, 'a webhook could not be applied')
    if (attempts >= maxAttempts) await settleRow(databases.write, row.seq, journalState.parked, errorReason(error))
    else {
      held.set(row.seq, { line: row.line, untilMs: clock.now().getTime() + holdStepMs * attempts })
      await recordFault(databases.write, row.seq, attempts, errorReason(error))
    }
  }

  /** A webhook may carry thousands of items: applies the next ones and stores how far it got. */
  const applyNext = async (underWay: RowsUnderWay, one: UnderWay) => {
    const { row } = one
    let items = 0
    try {
      const part = await (one.reading ? readOn(one.reading) : begin(row))
      items = part?.items ?? 0
      const place = part?.reading.place ?? 0
      if (!part || part.reading.isDone) {
        if (part) await apply([part])
        underWay.remove(one)
      } else {
        underWay.opened(one, part)
        if (place > row.place) {
          await commit(async many => {
            await applyAll(many, part.byOrg, part.untaken)
            await savePlace(many.db, row.seq, place)
          })
          row.place = place
        }
      }
    } catch (error) {
      // The reader has read further than the last write, so it has to be opened again.
      underWay.remove(one)
      if (isNoFaultOfRow(error)) throw error
      await fault(row, error)
    }
    await pace.rest({ items })
  }

  /**
   * Applies rows in order, as many as fit into a transaction. Large rows are put under way, and rows that failed before
   * are applied alone. Returns the rows that did not fit, or that have a large row before them in their line.
   */
  const applyRows = async (rows: readonly WaitingRow[], underWay: RowsUnderWay) => {
    const left: WaitingRow[] = []
    let batch: Part[] = []
    let items = 0
    let slices = 0
    const flush = async () => {
      const taken = batch
      batch = []
      items = 0
      if (!taken.length) return
      slices += 1
      try {
        await apply(taken)
      } catch (error) {
        if (isNoFaultOfRow(error)) throw error
        log.warn({ rows: taken.length, err: error }, 'a slice of webhooks failed and is taken one by one')
        for (const part of taken) await applyOne(part)
      }
    }
    const flushAndRest = async () => {
      const done = items
      await flush()
      if (done > 0) await pace.rest({ items: done })
    }
    for (const row of rows) {
      if (slices >= slicesPerFetch || underWay.has(row.line)) {
        left.push(row)
        continue
      }
      if (!row.raw) {
        underWay.add({ row })
        continue
      }
      const part = await begin(row).catch(async error => {
        if (isNoFaultOfRow(error)) throw error
        // Rows before the one that failed are applied first.
        await flush()
        await fault(row, error)
      })
      if (!part) continue
      if (!part.reading.isDone) {
        putBack(part)
        underWay.add({ row, reading: part.reading })
        continue
      }
      const isAlone = row.attempts > 0
      if (isAlone || items + part.items > pace.items()) await flushAndRest()
      if (isAlone) {
        slices += 1
        await applyOne(part)
        await pace.rest({ items: 0 })
      } else {
        batch.push(part)
        items += part.items
      }
    }
    await flush()
    return left
  }

  /** Held rows whose pause has ended. If the clock was set back, a row waits no longer than the longest pause. */
  const takeDue = () => {
    const now = clock.now().getTime()
    const due = [...held].filter(([, { untilMs }]) => untilMs <= now || untilMs - now > holdStepMs * maxAttempts)
    for (const [seq] of due) held.delete(seq)
    return due.map(([seq, { line }]) => ({ seq, line }))
  }

  return {
    applyRows,
    applyNext,
    takeDue,
    isHeld: (row: WaitingRow): boolean => held.has(row.seq),
    hasHeld: (): boolean => held.size > 0,
  }
}

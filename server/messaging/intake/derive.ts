import type { Databases } from '#server/platform/db/db.ts'
import { isDatabaseTrouble } from '#server/platform/db/faults.ts'
import { errorReason } from '#server/platform/http/reason.ts'
import { LeaseLost } from '#server/platform/jobs/lease.ts'
import { runWithTrace } from '#server/platform/log/trace.ts'
import { type ApplyParts, createApply } from './apply.ts'
import type { Journal } from './journal.ts'
import { createPace } from './pace.ts'
import { createReader, type Part, type ReaderParts } from './reading.ts'
import { recordFault, savePlace, settleRow, type WaitingRow } from './store.ts'
import { journalState } from './table.ts'
import { createUnderWay, type UnderWay } from './underway.ts'
import { createWaitingRows } from './waiting-rows.ts'

export interface DeriveParts extends Omit<ApplyParts, 'pace' | 'numbers'> {
  databases: Databases
  journal: Pick<Journal, 'takePeakPendingWebhooks'>
  numbers: ReaderParts['numbers'] & ApplyParts['numbers']
}

export interface Derive {
  /** Applies what an earlier process left. */
  start(): void
  /** Call it after each stored webhook. It is cheap. */
  wake(): void
  /** Resolves when only held rows wait, those that failed and are retried later. For tests and shutdown. */
  drain(): Promise<void>
  /** Finishes the current slice. The rest is applied after the next start. */
  stop(): Promise<void>
}

/** Limit of rows fetched together. Larger rows are read when they are applied. */
const bytesPerFetch = 512 * 1024
/** After this many transactions of small webhooks, other lines are looked at. */
const slicesPerFetch = 2
const maxAttempts = 5
const holdStepMs = 1000
const databaseRetryMs = 1000
/** Another process holds the lease. Look again after this time, in case it died. */
const leaseRetryMs = 1000

/** A database error or a lost lease does not count as a failed attempt of a row. */
const isNoFaultOfRow = (error: unknown): boolean => isDatabaseTrouble(error) || error instanceof LeaseLost

/**
 * Applies the journal's rows in order, a few at a time. Each slice is one transaction that also stores the rows' state,
 * or how far the row has been applied, so that a crash neither repeats nor loses anything. A slice that fails is
 * retried row by row. A row that keeps failing is parked, and the rows behind it continue.
 */
export function createDerive(parts: DeriveParts): Derive {
  const { databases, clock, log, lease } = parts
  const pace = createPace({
    isOtherProcess: databases.signals.isShared,
    takePeakPendingWebhooks: () => parts.journal.takePeakPendingWebhooks(),
  })
  const { commit, applyAll, apply } = createApply({ ...parts, pace })
  const { begin, readOn, putBack } = createReader({ ...parts, pace })
  /** Rows that failed, until their next attempt. */
  const held = new Map<number, { line: string; untilMs: number }>()
  let running: Promise<void> | undefined
  let again = false
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let isMine = true

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
  const applyNext = async (underWay: ReturnType<typeof createUnderWay>, one: UnderWay) => {
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
      // The reader is ahead of what was written, so it has to be opened again.
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
  const applyRows = async (rows: readonly WaitingRow[], underWay: ReturnType<typeof createUnderWay>) => {
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

  /** Applies everything that waits, lines in turn, oldest row first. */
  const pass = async () => {
    const waiting = createWaitingRows(databases.read)
    const underWay = createUnderWay()
    while (!stopping) {
      pace.begin()
      waiting.giveBack(takeDue())
      const rows = await waiting.next({ rows: pace.rows(), bytes: bytesPerFetch }, underWay.lines())
      const left = await applyRows(
        rows.filter(row => !held.has(row.seq)),
        underWay,
      )
      waiting.giveBack(left)
      if (rows.length) await pace.rest({ rows: rows.length - left.length })
      const next = underWay.next()
      if (next && !stopping) await applyNext(underWay, next)
      if (!rows.length && !next) return
    }
  }

  const loop = async () => {
    await pace.resume()
    do {
      again = false
      try {
        isMine = await lease.take()
        if (!isMine) return later(leaseRetryMs)
        await pass()
      } catch (error) {
        if (!(error instanceof LeaseLost)) log.error({ err: error }, 'webhooks wait for the database')
        return later(databaseRetryMs)
      }
    } while (again && !stopping)
    if (held.size) later(holdStepMs)
  }

  const later = (ms: number) => {
    clearTimeout(timer)
    if (stopping) return
    timer = setTimeout(() => {
      timer = undefined
      kick()
    }, ms).unref()
  }

  const kick = () => {
    again = true
    if (stopping || running) return
    // The rows are of many requests, not of the one that woke this.
    running = runWithTrace(undefined, () => new Promise<void>(resolve => setImmediate(resolve)).then(loop)).finally(
      () => {
        running = undefined
        if (again && !timer) kick()
      },
    )
  }

  return {
    start() {
      databases.signals.hear('journal', kick)
      kick()
    },
    wake() {
      pace.arrived()
      if (isMine || !databases.signals.isShared) kick()
      else databases.signals.send('journal')
    },
    async drain() {
      kick()
      while (running) await running
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      while (running) await running
    },
  }
}

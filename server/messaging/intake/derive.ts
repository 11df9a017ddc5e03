import { LeaseLost } from '#server/platform/jobs/lease.ts'
import { runWithTrace } from '#server/platform/log/trace.ts'
import type { Journal } from './journal.ts'
import { createPace } from './pace.ts'
import { createRowApplying, holdStepMs, type RowApplyingParts } from './row-applying.ts'
import { createUnderWay } from './underway.ts'
import { createWaitingRows } from './waiting-rows.ts'

export interface DeriveParts extends Omit<RowApplyingParts, 'pace'> {
  journal: Pick<Journal, 'takePeakPendingWebhooks'>
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
const databaseRetryMs = 1000
/** Another process holds the lease. Look again after this time, in case it died. */
const leaseRetryMs = 1000

/**
 * Applies the journal's rows in order, a few at a time. Each slice is one transaction that also stores the rows' state,
 * or how far the row has been applied, so that a crash neither repeats nor loses anything. A slice that fails is
 * retried row by row. A row that keeps failing is parked, and the rows behind it continue.
 */
export function createDerive(parts: DeriveParts): Derive {
  const { databases, log, lease } = parts
  const pace = createPace({
    isOtherProcess: databases.signals.isShared,
    takePeakPendingWebhooks: () => parts.journal.takePeakPendingWebhooks(),
  })
  const { applyRows, applyNext, takeDue, isHeld, hasHeld } = createRowApplying({ ...parts, pace })
  let running: Promise<void> | undefined
  let again = false
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let isMine = true

  /** Applies everything that waits, lines in turn, oldest row first. */
  const pass = async () => {
    const waiting = createWaitingRows(databases.read)
    const underWay = createUnderWay()
    while (!stopping) {
      pace.begin()
      waiting.giveBack(takeDue())
      const rows = await waiting.next({ rows: pace.rows(), bytes: bytesPerFetch }, underWay.lines())
      const left = await applyRows(
        rows.filter(row => !isHeld(row)),
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
    if (hasHeld()) later(holdStepMs)
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

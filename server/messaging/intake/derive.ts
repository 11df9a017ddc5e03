import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { isDatabaseTrouble } from '#server/platform/db/faults.ts'
import { vendorActor } from '#server/platform/events/actors.ts'
import type { ManyWrites } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { reasonOf } from '#server/platform/http/reason.ts'
import { type Lease, LeaseLost } from '#server/platform/jobs/lease.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { isoNow, monotonicMs } from '#server/platform/time/clock.ts'
import type { WebhookItem } from '#server/whatsapp/inbound.ts'
import type { Journal } from './journal.ts'
import { createPace } from './pace.ts'
import { add, createReader, noteOf, type Part, type ReaderParts, type Reading, settledState } from './reading.ts'
import { forgetPlace, markApplied, noteFault, savePlace, settleRow, type WaitingRow } from './store.ts'
import { journalState } from './table.ts'
import type { WebhookTakers } from './takers.ts'
import { createUnderWay, type UnderWay } from './underway.ts'
import { keepUntaken, type UntakenItem } from './untaken-store.ts'
import { createWaitingRows } from './waiting-rows.ts'

export interface DeriveParts {
  databases: Databases
  clock: Clock
  log: Log
  writes: Pick<Writes, 'runMany'>
  /** The journal is derived in order: by one process at a time. */
  lease: Lease
  journal: Pick<Journal, 'crowd'>
  takers: WebhookTakers
  numbers: ReaderParts['numbers'] & {
    /** Remembers in the transaction that webhooks arrive; called now and then, not for each. */
    touchWebhook(trx: Db, connectionId: string, at: string): Promise<void>
  }
}

export interface Derive {
  /** Picks up what an earlier process left. */
  start(): void
  /** Something was journaled. Cheap; call it for each webhook. */
  wake(): void
  /** Resolves when nothing is waiting but rows held back after a fault. For tests and shutdown. */
  drain(): Promise<void>
  /** Finishes the slice at work and leaves the rest for the next start. */
  stop(): Promise<void>
}

/** Of rows fetched together; large ones are read when their turn comes. */
const bytesPerFetch = 512 * 1024
/** Transactions of small webhooks until it is looked again who else waits. */
const slicesPerFetch = 2
const maxAttempts = 5
const holdMs = 1000
const troubleMs = 1000
const touchMs = 5000
/** Another process derives the journal; should it die, it is this one's turn. */
const otherMs = 1000

/** The database's trouble, or another process's turn: counts against no row. */
const isNobodysFault = (error: unknown): boolean => isDatabaseTrouble(error) || error instanceof LeaseLost

/**
 * Has the rooms take what webhooks say: the journal's rows in order, a few at a time, each slice in one transaction with
 * the state of its rows, or with how far in its row it got, so that a crash repeats nothing and loses nothing. After each
 * slice it is looked who else waits. A slice that fails is tried row by row; a row that keeps failing is parked and its
 * neighbours go on.
 */
export function createDerive(parts: DeriveParts): Derive {
  const { databases, clock, log, lease, takers, numbers } = parts
  const pace = createPace({ isBeside: databases.signals.isShared, crowd: () => parts.journal.crowd() })
  const { begin, readOn, putBack } = createReader({ ...parts, pace })
  /** Rows that failed, until they are tried again. */
  const held = new Map<number, { line: string; untilMs: number }>()
  const touched = new Map<string, number>()
  let running: Promise<void> | undefined
  let again = false
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let isMine = true

  /** As long as the journal is this process's to derive. */
  const commit = (work: (many: ManyWrites) => Promise<void>): Promise<void> =>
    parts.writes.runMany(vendorActor, async many => {
      if (!(await lease.isHeld(many.db))) throw new LeaseLost()
      await work(many)
    })

  const dueTouches = (readings: readonly Reading[]) => {
    const now = clock.now().getTime()
    const ids = new Set(
      readings.flatMap(({ row, routes }) => [
        ...(row.connectionId ? [row.connectionId] : []),
        // One app may bring the webhooks of several numbers.
        ...[...routes.values()].flatMap(route => route?.connectionId ?? []),
      ]),
    )
    // A clock that was set back makes the last time later than now.
    return [...ids].filter(id => Math.abs(now - (touched.get(id) ?? 0)) >= touchMs)
  }

  /** What is left of these rows, and that they are applied, in one transaction. */
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
    for (const { seq, note } of notes) log.warn({ seq, note }, 'a webhook, or a part of it, belongs to nobody here')
  }

  const applyAll = async (
    many: ManyWrites,
    byOrg: ReadonlyMap<string, readonly WebhookItem[]>,
    untaken: readonly UntakenItem[],
  ) => {
    for (const [orgId, items] of byOrg)
      for (const [taker, own] of Map.groupBy(items, takers.of)) await taker?.apply(many.of(orgId), own)
    if (untaken.length) await keepUntaken(many.db, untaken, isoNow(clock))
  }

  /** What is left of a row in one transaction; one that fails is held back. */
  const applyOne = async (part: Part) => {
    const { row } = part.reading
    try {
      await apply([part])
    } catch (error) {
      if (isNobodysFault(error)) throw error
      await fault(row, error)
    }
  }

  const fault = async (row: WaitingRow, error: unknown) => {
    const attempts = row.attempts + 1
    log.error({ seq: row.seq, attempts, err: error }, 'a webhook could not be applied')
    if (attempts >= maxAttempts) await settleRow(databases.write, row.seq, journalState.parked, reasonOf(error))
    else {
      held.set(row.seq, { line: row.line, untilMs: clock.now().getTime() + holdMs * attempts })
      await noteFault(databases.write, row.seq, attempts, reasonOf(error))
    }
  }

  /** A webhook may carry thousands of updates: the next ones of it, with how far that is, in a transaction of their own. */
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
      // Its reading is ahead of what was written.
      underWay.remove(one)
      if (isNobodysFault(error)) throw error
      await fault(row, error)
    }
    await pace.rest({ items })
  }

  /**
   * Rows in their order, as many as fit a transaction together; large ones are put under way, and one that failed before
   * goes alone. Answers those for which there was no room in so many slices, or whose line has a large one before them.
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
        if (isNobodysFault(error)) throw error
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
        if (isNobodysFault(error)) throw error
        // What came before it is applied before it is given up.
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

  /** Rows whose time to wait is over; a clock that was set back makes none wait for longer than it ever should. */
  const takeDue = () => {
    const now = clock.now().getTime()
    const due = [...held].filter(([, { untilMs }]) => untilMs <= now || untilMs - now > holdMs * maxAttempts)
    for (const [seq] of due) held.delete(seq)
    return due.map(([seq, { line }]) => ({ seq, line }))
  }

  /** One pass over everything that waits: lines in turn, each from its oldest. */
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
        if (!isMine) return later(otherMs)
        await pass()
      } catch (error) {
        if (!(error instanceof LeaseLost)) log.error({ err: error }, 'webhooks wait for the database')
        return later(troubleMs)
      }
    } while (again && !stopping)
    if (held.size) later(holdMs)
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
    running = new Promise<void>(resolve => setImmediate(resolve)).then(loop).finally(() => {
      running = undefined
      if (again && !timer) kick()
    })
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

import type { Clock } from '../clock.ts'
import { isoNow, monotonicMs } from '../clock.ts'
import { isDatabaseTrouble } from '../database/faults.ts'
import type { Databases, Db } from '../db.ts'
import { vendorActor } from '../events/actors.ts'
import type { ManyWrites, Writes } from '../events/writes.ts'
import { type Lease, LeaseLost } from '../jobs/lease.ts'
import type { Log } from '../log.ts'
import { reasonOf } from '../reason.ts'
import type { WebhookItem } from '../whatsapp/inbound.ts'
import type { Journal } from './journal.ts'
import { createPace } from './pace.ts'
import { add, createReader, noteOf, type Part, type ReaderParts, type Reading, settledState } from './reading.ts'
import { markApplied, noteFault, settleRow, type WaitingRow } from './store.ts'
import { journalState } from './table.ts'
import type { WebhookTakers } from './takers.ts'
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

/** Rows fetched together; a single larger one comes alone. */
const bytesPerPass = 512 * 1024
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
 * the state of its rows, so that a crash repeats a slice and never loses one. A slice that fails is tried row by row;
 * a row that keeps failing is parked and its neighbours go on.
 */
export function createDerive(parts: DeriveParts): Derive {
  const { databases, clock, log, lease, takers, numbers } = parts
  const pace = createPace({ isBeside: databases.signals.isShared, crowd: () => parts.journal.crowd() })
  const { begin, readOn } = createReader({ ...parts, pace })
  const held = new Map<number, number>()
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
    return [...ids].filter(id => now - (touched.get(id) ?? 0) >= touchMs)
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

  /**
   * A webhook may carry thousands of updates: all but its last part go ahead in transactions of their own, with turns
   * for others between. Whoever begins it again after a crash finds what is applied and changes nothing.
   */
  const applyAhead = async (first: Part): Promise<Part> => {
    let part = first
    while (!part.reading.isDone) {
      const { byOrg, untaken } = part
      if (byOrg.size || untaken.length) await commit(many => applyAll(many, byOrg, untaken))
      await pace.rest({ items: part.items })
      part = await readOn(part.reading)
    }
    return part
  }

  const applyOne = async (first: Part) => {
    const { row } = first.reading
    try {
      await apply([await applyAhead(first)])
      held.delete(row.seq)
    } catch (error) {
      if (isNobodysFault(error)) throw error
      await fault(row, error)
    }
  }

  const fault = async (row: WaitingRow, error: unknown) => {
    const attempts = row.attempts + 1
    log.error({ seq: row.seq, attempts, err: error }, 'a webhook could not be applied')
    if (attempts >= maxAttempts) {
      held.delete(row.seq)
      await settleRow(databases.write, row.seq, journalState.parked, reasonOf(error))
    } else {
      held.set(row.seq, clock.now().getTime() + holdMs * attempts)
      await noteFault(databases.write, row.seq, attempts, reasonOf(error))
    }
  }

  /** A run of rows that may share a transaction: none has failed before, and together they are not too many. */
  const applyRun = async (rows: readonly WaitingRow[]) => {
    let batch: Part[] = []
    let items = 0
    const flush = async () => {
      const taken = batch
      batch = []
      items = 0
      if (!taken.length) return
      try {
        await apply(taken)
      } catch (error) {
        if (isNobodysFault(error)) throw error
        log.warn({ rows: taken.length, err: error }, 'a slice of webhooks failed and is taken one by one')
        for (const part of taken) await applyOne(part)
      }
    }
    for (const row of rows) {
      const part = await begin(row).catch(async error => {
        if (isNobodysFault(error)) throw error
        // What came before it is applied before it is given up.
        await flush()
        await fault(row, error)
      })
      if (!part) continue
      const isApart = !part.reading.isDone || row.attempts > 0
      if (items > 0 && (isApart || items + part.items > pace.items())) {
        const done = items
        await flush()
        await pace.rest({ items: done })
      }
      if (isApart) {
        await applyOne(part)
        await pace.rest({ items: 0 })
      } else {
        batch.push(part)
        items += part.items
      }
    }
    await flush()
  }

  /** One pass over everything that waits: connections in turn, each from its oldest. */
  const pass = async () => {
    const waiting = createWaitingRows(databases.read)
    while (!stopping) {
      pace.begin()
      const rows = await waiting.next({ rows: pace.rows(), bytes: bytesPerPass })
      if (!rows.length) return
      const now = clock.now().getTime()
      // A row held back ends the run before it.
      for (const run of splitAt(rows, row => (held.get(row.seq) ?? 0) > now)) await applyRun(run)
      await pace.rest({ rows: rows.length })
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

/** The stretches of a list between the elements that are left out. */
const splitAt = <T>(list: readonly T[], isLeftOut: (element: T) => boolean): T[][] => {
  const runs: T[][] = [[]]
  for (const element of list) {
    if (isLeftOut(element)) runs.push([])
    else runs.at(-1)?.push(element)
  }
  return runs.filter(run => run.length > 0)
}

import { type Clock, isoIn, isoNow } from '../clock.ts'
import { type Databases, type Db, inTransaction, isDatabaseTrouble } from '../db.ts'
import type { EventDraft, LiveLog, StoredEvent } from '../live/hub.ts'
import type { Log } from '../log.ts'
import { type Decision, decide } from './retry.ts'
import type { Answer, Call } from './sender.ts'
import {
  type DueRow,
  endAttempt,
  endOpenAttempts,
  type HeldRow,
  listInFlight,
  listOverdueUnknown,
  listQueued,
  moveRow,
} from './store.ts'
import type { OutboxTable } from './table.ts'

/** What the inbox is told of a message's fate; the inbox decides what it means for the message. */
export type OutboxDelivery =
  | { kind: 'accepted'; wamid: string; at: string; waId?: string; bsuid?: string }
  | { kind: 'failed'; code: string; detail?: string; at: string }
  | { kind: 'unconfirmed'; at: string }

export interface SettlementParts {
  databases: Databases
  clock: Clock
  log: Log
  live: LiveLog
  applyDelivery(
    trx: Db,
    orgId: string,
    target: { messageId: string },
    change: OutboxDelivery,
    parts: { clock: Clock },
  ): Promise<EventDraft[]>
}

export interface Job extends Call {
  row: DueRow
  connectionStatus: string
}

export interface Result {
  job: Job
  answer: Answer
}

/** How rows end: each writes the row, its attempt and the message in one commit, with the events told after it. */
export interface Settlement {
  /** Answers that came together share a commit. Answers for how long a number must rest, where Meta asked for it. */
  answers(batch: readonly Result[]): Promise<ReadonlyMap<string, number>>
  /** Rows in flight when the last process died: the request may have left, so they are unknown, whatever the truth. */
  recover(): Promise<void>
  /** Unconfirmed messages without news for too long fail; later evidence still mends them. */
  giveUpUnknown(): Promise<void>
  /** Rows that are not worth a call; without a code they are closed quietly. */
  closeUnsent(rows: readonly DueRow[], code: string | undefined): Promise<void>
  /** Everything of an organization that still waits fails, in the caller's transaction. */
  failQueued(trx: Db, orgId: string, code: string): Promise<EventDraft[]>
}

type Tell = (orgId: string, drafts: readonly EventDraft[]) => void

export const receiptTries = 2
const rowsAtOnce = 64
/** How long an unconfirmed message waits for a status before somebody is told that nobody knows. */
const unknownMs = 10 * 60 * 1000
const receiptPauseMs = 4000
/** Nobody knows whether it was sent: no answer, and no status since. */
const unconfirmed = 'UNCONFIRMED'

export function createSettlement(parts: SettlementParts): Settlement {
  const { databases, clock, log, live, applyDelivery } = parts

  const commit = async (work: (trx: Db, tell: Tell) => Promise<void>) => {
    const events = await inTransaction(databases, async trx => {
      const drafts = new Map<string, EventDraft[]>()
      await work(trx, (orgId, more) => drafts.set(orgId, [...(drafts.get(orgId) ?? []), ...more]))
      const recorded: StoredEvent[] = []
      for (const [orgId, list] of drafts) if (list.length) recorded.push(...(await live.record(trx, orgId, list)))
      return recorded
    })
    live.publish(events)
  }

  /** All in one commit; when that fails each in its own, and what fails alone is moved out of the way of the others. */
  const commitEach = async <T>(
    items: readonly T[],
    work: (trx: Db, tell: Tell, item: T) => Promise<void>,
    otherwise: (item: T) => Promise<unknown>,
  ) => {
    const all = (some: readonly T[]) =>
      commit(async (trx, tell) => {
        for (const item of some) await work(trx, tell, item)
      })
    try {
      await all(items)
      return
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error
      log.warn({ err: error, rows: items.length }, 'rows of the outbox could not be settled together')
    }
    for (const item of items)
      try {
        await all([item])
      } catch (error) {
        if (isDatabaseTrouble(error)) throw error
        log.error({ err: error }, 'a row of the outbox could not be settled')
        await otherwise(item)
      }
  }

  type Owned = { orgId: string; messageId: string | null }
  const deliver = (trx: Db, { orgId, messageId }: Owned, change: OutboxDelivery): Promise<EventDraft[]> =>
    messageId ? applyDelivery(trx, orgId, { messageId }, change, { clock }) : Promise.resolve([])

  const move = (db: Db, seq: number, from: OutboxTable['state'], state: OutboxTable['state'], inMs?: number) =>
    moveRow(db, seq, from, { state, at: isoNow(clock), ...(inMs === undefined ? {} : { dueAt: isoIn(clock, inMs) }) })

  const settleMessage = async (
    trx: Db,
    { job, answer }: Result,
    decision: Decision | undefined,
  ): Promise<EventDraft[]> => {
    const { row, callback } = job
    const at = isoNow(clock)
    const { accepted, error } = answer
    if (accepted) {
      await endAttempt(trx, callback, { at, outcome: 'accepted', wamid: accepted.wamid, httpStatus: 200 })
      await move(trx, row.seq, 'inFlight', 'done')
      return deliver(trx, row, { kind: 'accepted', at, ...accepted })
    }
    if (!decision) return []
    await endAttempt(trx, callback, {
      at,
      outcome: decision.kind,
      httpStatus: error?.httpStatus,
      errorCode: error?.code,
      errorDetail: error?.detail ?? error?.message,
    })
    // A status may have overtaken the answer and closed the row; then there is nothing left to say.
    if (decision.kind === 'retry') {
      await move(trx, row.seq, 'inFlight', 'queued', decision.afterMs)
      return []
    }
    if (decision.kind === 'unknown') {
      const isOpen = await move(trx, row.seq, 'inFlight', 'unknown', unknownMs)
      return isOpen ? deliver(trx, row, { kind: 'unconfirmed', at }) : []
    }
    const { code, detail } = decision
    const isOpen = await move(trx, row.seq, 'inFlight', 'done')
    return isOpen ? deliver(trx, row, { kind: 'failed', code, detail, at }) : []
  }

  /** Receipts are a courtesy: tried once more when that is safe, else dropped with a line in the log. */
  const settleReceipt = async (trx: Db, { job, answer }: Result) => {
    const { row } = job
    const { error } = answer
    const isRepeatable = error !== undefined && (error.retry === 'later' || error.retry === 'quick')
    const isAgain = isRepeatable && row.kind === 'read' && row.attempts + 1 < receiptTries
    if (error) log.info({ orgId: row.orgId, kind: row.kind, code: error.code, isAgain }, 'a receipt was not taken')
    if (isAgain) await move(trx, row.seq, 'inFlight', 'queued', error.retryAfterMs ?? receiptPauseMs)
    else await move(trx, row.seq, 'inFlight', 'done')
  }

  return {
    async answers(batch) {
      const decided = batch.map(result => {
        const { job, answer } = result
        const decision = answer.error && decide(answer.error, { ...job.row, tries: job.row.attempts + 1, to: job.to })
        return { result, decision }
      })
      await commitEach(
        decided,
        async (trx, tell, { result, decision }) => {
          const { row } = result.job
          if (row.kind === 'message') tell(row.orgId, await settleMessage(trx, result, decision))
          else await settleReceipt(trx, result)
        },
        ({ result }) => move(databases.write, result.job.row.seq, 'inFlight', 'unknown', unknownMs),
      )
      const rests = new Map<string, number>()
      for (const { result, decision } of decided)
        if (decision?.kind === 'retry' && decision.pausesNumberMs)
          rests.set(result.job.row.orgId, decision.pausesNumberMs)
      return rests
    },

    async recover() {
      const isMessage = (row: HeldRow) => row.kind === 'message'
      for (;;) {
        const rows = await listInFlight(databases.write, rowsAtOnce)
        if (!rows.length) return
        log.warn({ rows: rows.length }, 'sends cut off by the last stop wait for a status')
        const at = isoNow(clock)
        const settle = (db: Db, row: HeldRow) =>
          move(db, row.seq, 'inFlight', isMessage(row) ? 'unknown' : 'done', unknownMs)
        await commitEach(
          rows,
          async (trx, tell, row) => {
            await settle(trx, row)
            if (row.messageId) await endOpenAttempts(trx, row.messageId, at)
            tell(row.orgId, await deliver(trx, row, { kind: 'unconfirmed', at }))
          },
          row => settle(databases.write, row),
        )
      }
    },

    async giveUpUnknown() {
      for (;;) {
        const rows = await listOverdueUnknown(databases.read, isoNow(clock), rowsAtOnce)
        if (!rows.length) return
        await commitEach(
          rows,
          async (trx, tell, row) => {
            if (!(await move(trx, row.seq, 'unknown', 'done'))) return
            tell(row.orgId, await deliver(trx, row, { kind: 'failed', code: unconfirmed, at: isoNow(clock) }))
          },
          row => move(databases.write, row.seq, 'unknown', 'done'),
        )
      }
    },

    closeUnsent: (rows, code) =>
      commitEach(
        rows,
        async (trx, tell, row) => {
          if (!(await move(trx, row.seq, 'queued', 'done')) || code === undefined) return
          tell(row.orgId, await deliver(trx, row, { kind: 'failed', code, at: isoNow(clock) }))
        },
        row => move(databases.write, row.seq, 'queued', 'done'),
      ),

    async failQueued(trx, orgId, code) {
      const drafts: EventDraft[] = []
      for (;;) {
        const rows = await listQueued(trx, orgId, rowsAtOnce)
        if (!rows.length) return drafts
        for (const row of rows) {
          await move(trx, row.seq, 'queued', 'done')
          drafts.push(...(await deliver(trx, row, { kind: 'failed', code, at: isoNow(clock) })))
        }
      }
    },
  }
}

import { sql } from 'kysely'
import { bulkQuery } from '../bulk.ts'
import type { Db } from '../db.ts'
import { inLine, isKeyed } from './conditions-store.ts'

export interface JobRow {
  readonly orgId: string
  readonly kind: string
  readonly lane: number
  readonly queue: string
  readonly orderKey: string | null
  readonly paceKey: string
  readonly uniqueKey: string | null
  readonly payload: string
  readonly state: 'scheduled' | 'waiting'
  readonly dueAt: string
  readonly addedAt: string
  /** 1 with an order key: the statement after it lets the first forward. */
  readonly blocked: number
}

/** Where jobs stand one after another. */
export interface Line {
  readonly orgId: string
  readonly orderKey: string
  readonly lane: number
}

export type Lined = { org_id: string; order_key: string | null; lane: number }
/** What statements that may open a line answer. */
export const lineColumns = ['seq', 'org_id', 'order_key', 'lane'] as const

const insert = bulkQuery<JobRow, object, Lined>(
  (db, rows) =>
    db
      .insertInto('job')
      .values(
        rows.map(row => ({
          org_id: row.orgId,
          kind: row.kind,
          lane: row.lane,
          queue: row.queue,
          order_key: row.orderKey,
          pace_key: row.paceKey,
          unique_key: row.uniqueKey,
          payload: row.payload,
          state: row.state,
          blocked: row.blocked,
          attempts: sql<number>`0`,
          due_at: row.dueAt,
          added_at: row.addedAt,
        })),
      )
      .onConflict(conflict => conflict.doNothing())
      .returning(lineColumns) as never,
)

const unblock = bulkQuery<Line, object, never>((_db, rows) => {
  const lines = rows.map(row => sql`(${row.orgId}, ${row.orderKey}, cast(${row.lane} as integer))`)
  return sql<never>`update job set blocked = 0 where blocked = 1 and state = 'waiting' and seq in (
    select (select line.seq from job as line
      where line.org_id = v.column1 and line.order_key = v.column2 and line.lane = v.column3
        and ${sql.raw(isKeyed('line'))} and ${sql.raw(inLine('line'))}
      order by line.seq limit 1)
    from (values ${sql.join(lines)}) as v)`
}, 'lookup')

/** Of the lines these jobs stand or stood in, the first may be claimed. */
export async function unblockHeads(trx: Db, rows: readonly Lined[]): Promise<void> {
  const lines = rows.flatMap(row =>
    row.order_key === null ? [] : [{ orgId: row.org_id, orderKey: row.order_key, lane: row.lane }],
  )
  await unblock(trx, lines, {})
}

export async function addJobs(trx: Db, rows: readonly JobRow[]): Promise<number> {
  const added = await insert(trx, rows, {})
  // What is due later takes no place in its line yet.
  if (rows.some(({ state }) => state === 'waiting')) await unblockHeads(trx, added)
  return added.length
}

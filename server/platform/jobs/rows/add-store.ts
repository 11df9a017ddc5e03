import { sql } from 'kysely'
import { bulkQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import { inLine, isAtWork, isKeyed, isReady } from './conditions-store.ts'

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
  readonly trace: string | null
  /** 1 with an order key: the next statement unblocks the first of each line. */
  readonly blocked: number
}

/** A line: jobs with the same order key run one after another. */
interface Line {
  readonly orgId: string
  readonly orderKey: string
  readonly lane: number
}

export type Lined = { org_id: string; order_key: string | null; lane: number }
/** Columns returned by statements after which a line may have a new first job. */
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
          trace: row.trace,
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

/** Allows claiming the first job of each of these jobs' lines. */
export async function unblockHeads(trx: Db, rows: readonly Lined[]): Promise<void> {
  const lines = rows.flatMap(row =>
    row.order_key === null ? [] : [{ orgId: row.org_id, orderKey: row.order_key, lane: row.lane }],
  )
  await unblock(trx, lines, {})
}

export async function addJobs(trx: Db, rows: readonly JobRow[]): Promise<number> {
  const added = await insert(trx, rows, {})
  // A job due later takes no place in its line yet.
  if (rows.some(({ state }) => state === 'waiting')) await unblockHeads(trx, added)
  return added.length
}

/** Inserts jobs as running if nobody else is in their line: no waiting job is overtaken, and no two run together. */
const insertRunning = bulkQuery<JobRow, { owner: string }, { seq: number; id: string }>((_db, rows, { owner }) => {
  const values = rows.map(
    row => sql`(${row.orgId}, ${row.kind}, cast(${row.lane} as integer), ${row.queue}, ${row.orderKey}, ${row.paceKey},
      ${row.uniqueKey}, ${row.payload}, ${row.dueAt}, ${row.addedAt}, ${row.trace})`,
  )
  return sql`insert into job (org_id, kind, lane, queue, order_key, pace_key, unique_key, payload, due_at, added_at, trace, state,
      blocked, attempts, owner)
    select column1, column2, column3, column4, column5, column6, column7, column8, column9, column10, column11, 'running', 0, 1, ${owner}
    from (values ${sql.join(values)}) as v
    where not exists (select 1 from job as line where line.org_id = v.column1 and line.order_key = v.column5
      and ${sql.raw(isKeyed('line'))} and ${sql.raw(inLine('line'))})
    on conflict do nothing returning seq, unique_key as id`
})

const firstsOfLines = <T extends Pick<JobRow, 'orgId' | 'orderKey'>>(rows: readonly T[]): T[] => {
  const seen = new Set<string>()
  return rows.filter(({ orgId, orderKey }) => orderKey === null || seen.size < seen.add(`${orgId} ${orderKey}`).size)
}

/** Returns those that were inserted, by unique key (which they must have), with their numbers. */
export async function addRunning(
  trx: Db,
  rows: readonly JobRow[],
  by: { owner: string },
): Promise<ReadonlyMap<string, number>> {
  return new Map((await insertRunning(trx, firstsOfLines(rows), by)).map(({ id, seq }) => [id, seq]))
}

const selectTakenLines = bulkQuery<Pick<Line, 'orgId' | 'orderKey'>, object, { order_key: string }>((_db, rows) => {
  const lines = rows.map(row => sql`(${row.orgId}, ${row.orderKey})`)
  return sql`select v.column2 as order_key from (values ${sql.join(lines)}) as v
    where exists (select 1 from job as line where line.org_id = v.column1 and line.order_key = v.column2
      and ${sql.raw(isKeyed('line'))} and ${sql.raw(inLine('line'))})`
}, 'lookup')

/** Returns the rows whose line is empty. Of two rows in one line, returns the first. */
export async function listFree<T extends Pick<JobRow, 'orgId' | 'orderKey'>>(
  trx: Db,
  rows: readonly T[],
): Promise<readonly T[]> {
  const firsts = firstsOfLines(rows)
  const lines = firsts.flatMap(({ orgId, orderKey }) => (orderKey === null ? [] : [{ orgId, orderKey }]))
  const taken = new Set((await selectTakenLines(trx, lines, {})).map(row => row.order_key))
  return taken.size ? firsts.filter(({ orderKey }) => orderKey === null || !taken.has(orderKey)) : firsts
}

const selectHindrance = hotQuery<{ queue: string; owner: string }, { found: number }>((db, p) => ({
  compile: () =>
    sql<{ found: number }>`select 1 as found where not ${isAtWork(p.owner)}
      or exists (select 1 from job where ${sql.raw(isReady('job'))} and queue = ${p.queue})`.compile(db),
}))

export const mayBegin = async (db: Db, queue: string, { owner }: { owner: string }): Promise<boolean> =>
  (await selectHindrance(db, { queue, owner })).length === 0

import { type RawBuilder, sql } from 'kysely'
import { bulkQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import { type Lined, unblockHeads } from '../rows/add-store.ts'
import { inLine, isAtWork, isKeyed, isReady } from '../rows/conditions-store.ts'

export interface Quota {
  readonly queue: string
  readonly limit: number
}

export interface ClaimedRow {
  readonly seq: number
  readonly org_id: string
  readonly kind: string
  readonly lane: number
  readonly order_key: string | null
  readonly pace_key: string
  readonly unique_key: string | null
  readonly payload: string
  readonly attempts: number
  readonly due_at: string
  readonly added_at: string
  readonly trace: string | null
}

export const claimedColumns =
  'seq, org_id, kind, lane, order_key, pace_key, unique_key, payload, attempts, due_at, added_at, trace'

/** No job of its line runs or comes before it. Three index lookups, however long the line. */
const isFirst = sql.raw(`(j.order_key is null or (
  not exists (select 1 from job as e where e.org_id = j.org_id and e.order_key = j.order_key
    and ${isKeyed('e')} and e.state = 'running')
  and not exists (select 1 from job as e where e.org_id = j.org_id and e.order_key = j.order_key and e.lane < j.lane
    and ${isKeyed('e')} and ${inLine('e')})
  and not exists (select 1 from job as e where e.org_id = j.org_id and e.order_key = j.order_key and e.lane = j.lane
    and e.seq < j.seq and ${isKeyed('e')} and ${inLine('e')})))`)

const take = bulkQuery<Quota, { owner: string }, ClaimedRow>((_db, quotas, { owner }) => {
  const firsts = quotas.map(
    ({ queue, limit }) => sql`select seq from (select j.seq from job as j
      where ${sql.raw(isReady('j'))} and j.queue = ${queue} and ${isFirst}
      order by j.due_at, j.seq limit ${limit}) as q`,
  )
  return sql<ClaimedRow>`update job set state = 'running', owner = ${owner}, attempts = attempts + 1
    where seq in (${sql.join(firsts, sql` union all `)}) and ${isAtWork(owner)} returning ${sql.raw(claimedColumns)}`
})

/** Claims nothing if its owner is not a live process. */
export async function claim(trx: Db, quotas: readonly Quota[], by: { owner: string }): Promise<ClaimedRow[]> {
  const rows = await take(trx, quotas, by)
  return rows.sort((a, b) => a.lane - b.lane || a.seq - b.seq)
}

const compiled = <Row>(db: Db, query: RawBuilder<Row>) => ({ compile: () => query.compile(db) })

/** Jumps from queue to queue in the index: the cost depends on the number of queues, not on their length. */
const selectQueues = hotQuery<{ after: string; end: string; limit: number }, { queue: string }>((db, p) =>
  compiled(
    db,
    sql<{ queue: string }>`with recursive served(queue) as (
      select min(queue) from job where ${sql.raw(isReady('job'))} and queue > ${p.after} and queue < ${p.end}
      union all
      select (select min(job.queue) from job
        where ${sql.raw(isReady('job'))} and job.queue > served.queue and job.queue < ${p.end})
      from served where served.queue is not null
    ) select queue from served where queue is not null limit ${p.limit}`,
  ),
)

const selectNextQueue = hotQuery<{ after: string }, { queue: string | null }>((db, p) =>
  compiled(
    db,
    sql<{ queue: string | null }>`select min(queue) as queue from job
      where ${sql.raw(isReady('job'))} and queue > ${p.after}`,
  ),
)

export async function findNextQueue(db: Db, after: string): Promise<string | undefined> {
  return (await selectNextQueue(db, { after }))[0]?.queue ?? undefined
}

export async function listQueues(db: Db, range: { after: string; end: string; limit: number }): Promise<string[]> {
  return (await selectQueues(db, range)).map(row => row.queue)
}

/**
 * Makes due jobs waiting, ordered by time and then number: a job must not be claimed before an earlier one of its line
 * is waiting.
 */
const stage = hotQuery<{ now: string; limit: number }, Lined>((db, p) =>
  compiled(
    db,
    sql<Lined>`update job set state = 'waiting', blocked = case when order_key is null then 0 else 1 end
      where seq in (select seq from job where state in ('scheduled', 'retrying') and due_at <= ${p.now}
        order by due_at, seq limit ${p.limit})
      returning seq, org_id, order_key, lane`,
  ),
)

export async function stageDue(trx: Db, now: string, limit: number): Promise<number> {
  const staged = await stage(trx, { now, limit })
  await unblockHeads(trx, staged)
  return staged.length
}

const selectNextDue = hotQuery<{ limit: number }, { due_at: string }>((db, p) =>
  compiled(
    db,
    sql<{ due_at: string }>`select due_at from job where state in ('scheduled', 'retrying')
      order by due_at limit ${p.limit}`,
  ),
)

export const nextDueAt = async (db: Db): Promise<string | undefined> =>
  (await selectNextDue(db, { limit: 1 }))[0]?.due_at

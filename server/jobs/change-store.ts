import { sql, type UpdateObject } from 'kysely'
import { bulkQuery, wholeNumber } from '../bulk.ts'
import type { Database, Db } from '../db.ts'
import { lineColumns, unblockHeads } from './add-store.ts'
import { isUnfinished } from './conditions-store.ts'

/** Jobs of a kind within an organization: those of these unique keys, those of a pace, or all. */
export interface JobSelector {
  readonly kind: string
  readonly uniqueKeys?: readonly string[]
}

/** Jobs chosen by keys and state become something else, and the next of their order keys stand first. */
const changeJobs = async (
  trx: Db,
  orgId: string,
  { kind, uniqueKeys }: JobSelector,
  condition: string,
  changes: UpdateObject<Database, 'job'>,
) => {
  if (uniqueKeys && !uniqueKeys.length) return []
  let update = trx
    .updateTable('job')
    .set(changes)
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where(sql<boolean>`${sql.raw(condition)}`)
  if (uniqueKeys) update = update.where('unique_key', 'is not', null).where('unique_key', 'in', uniqueKeys)
  const rows = await update.returning([...lineColumns, 'unique_key']).execute()
  await unblockHeads(trx, rows)
  return rows.sort((a, b) => a.seq - b.seq)
}

/** Cancels what does not run yet; answers their unique keys. */
export async function cancelWaiting(trx: Db, orgId: string, which: JobSelector, now: string): Promise<string[]> {
  const isWaiting = `${isUnfinished('job')} and state <> 'running'`
  const rows = await changeJobs(trx, orgId, which, isWaiting, { state: 'cancelled', finished_at: now })
  return rows.flatMap(row => row.unique_key ?? [])
}

export async function cancelJobs(trx: Db, orgId: string, which: JobSelector, now: string): Promise<number> {
  const changes = { state: 'cancelled', owner: null, finished_at: now } as const
  return (await changeJobs(trx, orgId, which, isUnfinished('job'), changes)).length
}

export async function requeueParked(trx: Db, orgId: string, which: JobSelector, now: string): Promise<number> {
  const rows = await changeJobs(trx, orgId, which, "state = 'parked'", {
    state: 'waiting',
    attempts: 0,
    reason: null,
    due_at: now,
    blocked: sql<number>`case when order_key is null then 0 else 1 end`,
  })
  return rows.length
}

/**
 * Cancels some of what does not run yet of one pace and has a unique key; answers these, in their order. Fewer than the
 * limit: there are no more.
 */
export async function cancelPaced(
  trx: Db,
  orgId: string,
  { kind, paceKey, before, after, limit }: PacedPage & { kind: string },
  now: string,
): Promise<string[]> {
  const found = await trx
    .selectFrom('job')
    .select(['seq', 'unique_key'])
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where('unique_key', 'is not', null)
    .where(sql<boolean>`${sql.raw(isUnfinished('job'))}`)
    .where('unique_key', '>', after)
    .where('state', '<>', 'running')
    .where('pace_key', '=', paceKey)
    .where('seq', '<', before)
    .orderBy('unique_key')
    .limit(limit)
    .execute()
  if (!found.length) return []
  const seqs = found.map(({ seq }) => seq)
  const rows = await trx
    .updateTable('job')
    .set({ state: 'cancelled', finished_at: now })
    .where('seq', 'in', seqs)
    .returning(lineColumns)
    .execute()
  await unblockHeads(trx, rows)
  return found.flatMap(({ unique_key }) => unique_key ?? [])
}

/** What does not run yet stands in another line from now on. */
export async function moveLine(trx: Db, orgId: string, { from, to }: { from: string; to: string }): Promise<void> {
  const rows = await trx
    .updateTable('job')
    .set({ order_key: to, blocked: 1 })
    .where('org_id', '=', orgId)
    .where('order_key', '=', from)
    .where('state', 'in', ['scheduled', 'waiting', 'retrying'])
    .returning(lineColumns)
    .execute()
  await unblockHeads(trx, rows)
}

export interface PacedPage {
  readonly paceKey: string
  /** Numbers of jobs: only what was added before this one. */
  readonly before: number
  /** Unique key after which to look; empty: from the first. */
  readonly after: string
  readonly limit: number
}

/** Those that wait for this reason, or for any, are due now. */
export async function hastenJobs(
  trx: Db,
  orgId: string,
  { kind, reason }: { kind: string; reason?: string | undefined },
  now: string,
): Promise<number> {
  const result = await trx
    .updateTable('job')
    .set({ due_at: now })
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where('state', '=', sql.lit('scheduled'))
    .where(eb => (reason === undefined ? eb('reason', 'is not', null) : eb('reason', '=', reason)))
    .where('due_at', '>', now)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Some jobs of a kind in the order of their numbers, all of them reached page by page. */
export interface JobPage {
  readonly kind: string
  /** The last number of the page before; 0: from the first. */
  readonly after: number
  readonly limit: number
}

interface NewTimes {
  readonly seq: number
  readonly dueAt: string
  readonly addedAt: string
}

const setTimes = bulkQuery<NewTimes, object, never>(
  (_db, rows) =>
    sql<never>`update job set due_at = v.column2, added_at = v.column3
      from (values ${sql.join(rows.map(row => sql`(${wholeNumber(row.seq)}, ${row.dueAt}, ${row.addedAt})`))}) as v
      where job.seq = v.column1`,
  'update',
)

const earlier = (time: string, ms: number): string => new Date(Date.parse(time) - ms).toISOString()

/** Those that are due later and were added by a time: due and added so much earlier. Answers how many, and the last number. */
export async function bringForward(
  trx: Db,
  orgId: string,
  { kind, after, limit, addedBy, ms }: JobPage & { addedBy: string; ms: number },
): Promise<{ count: number; last: number }> {
  const rows = await trx
    .selectFrom('job')
    .select(['seq', 'due_at', 'added_at'])
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where(sql<boolean>`state in ('scheduled', 'retrying')`)
    .where('added_at', '<=', addedBy)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
  await setTimes(
    trx,
    rows.map(row => ({ seq: row.seq, dueAt: earlier(row.due_at, ms), addedAt: earlier(row.added_at, ms) })),
    {},
  )
  return { count: rows.length, last: rows.at(-1)?.seq ?? after }
}

/** Deletes some of a kind, whatever their state; answers how many went. */
export async function deleteKind(
  trx: Db,
  orgId: string,
  { kind, limit }: Pick<JobPage, 'kind' | 'limit'>,
): Promise<number> {
  const some = trx
    .selectFrom('job')
    .select('seq')
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .orderBy('seq')
    .limit(limit)
  const rows = await trx.deleteFrom('job').where('seq', 'in', some).returning(lineColumns).execute()
  await unblockHeads(trx, rows)
  return rows.length
}

export async function deleteFinished(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('job')
    .where('seq', 'in', eb =>
      eb
        .selectFrom('job')
        .select('seq')
        .where('finished_at', 'is not', null)
        .where('finished_at', '<', before)
        .orderBy('finished_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

export async function deleteJobsOf(db: Db, orgId: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('job')
    .where('seq', 'in', eb => eb.selectFrom('job').select('seq').where('org_id', '=', orgId).limit(limit))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

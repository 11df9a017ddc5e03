import { sql, type UpdateObject } from 'kysely'
import { bulkQuery, lookupQuery, wholeNumber } from '#server/platform/db/bulk.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import { soughtBy } from '#server/platform/db/sought-by.ts'
import { type Lined, lineColumns, unblockHeads } from './add-store.ts'
import { isUnfinished } from './conditions-store.ts'
import type { JobPage } from './times-store.ts'

/** Jobs of a kind within an organization: those with these unique keys, or all. */
export interface JobSelector {
  readonly kind: string
  readonly uniqueKeys?: readonly string[]
}

type Changed = Lined & { readonly seq: number; readonly unique_key: string | null; readonly state: string }

/**
 * Unfinished jobs by unique key. With any other index SQLite would read all jobs of the kind, such as the timers of a
 * flow's sessions.
 */
const findByKeys = lookupQuery<{ orgId: string; kind: string }, Changed>((db, keys, { orgId, kind }) => {
  const columns = sql.join([...lineColumns, 'unique_key', 'state'].map(name => sql.ref(name)))
  return sql<Changed>`select ${columns} from ${soughtBy(db, 'job', 'job_unique')}
    where org_id = ${orgId} and kind = ${kind} and unique_key is not null and unique_key in (${sql.join(keys)})
      and ${sql.raw(isUnfinished('job'))}`
})

/** Jobs by unique key, or all of the kind, in the states that `counts` accepts. */
const finder =
  (condition: string, counts: (state: string) => boolean = () => true) =>
  async (db: Db, orgId: string, { kind, uniqueKeys }: JobSelector): Promise<Changed[]> =>
    uniqueKeys
      ? (await findByKeys(db, uniqueKeys, { orgId, kind })).filter(({ state }) => counts(state))
      : db
          .selectFrom('job')
          .select([...lineColumns, 'unique_key', 'state'])
          .where('org_id', '=', orgId)
          .where('kind', '=', kind)
          .where(sql<boolean>`${sql.raw(condition)}`)
          .execute()
const findUnfinished = finder(isUnfinished('job'))
const findWaiting = finder(`${isUnfinished('job')} and state <> 'running'`, state => state !== 'running')
const findScheduled = finder("state = 'scheduled'", state => state === 'scheduled')

type Change = (db: Db, rows: readonly Pick<Changed, 'seq'>[], common: { now: string }) => Promise<unknown>
/** Changes jobs by number, without `returning`, which copies each changed page and is tens of times slower. */
const change = (changes: (now: string) => UpdateObject<Database, 'job'>): Change =>
  bulkQuery<Pick<Changed, 'seq'>, { now: string }, never>(
    (db, rows, { now }) =>
      db
        .updateTable('job')
        .set(changes(now))
        .where(
          'seq',
          'in',
          rows.map(({ seq }) => seq),
        ) as never,
  )
const cancelThem = change(now => ({ state: sql.lit('cancelled'), owner: null, finished_at: now }))

/** Changes jobs and unblocks the next in their lines. */
const changeJobs = async (trx: Db, found: readonly Changed[], how: Change, now: string): Promise<Changed[]> => {
  await how(trx, found, { now })
  await unblockHeads(trx, found)
  return [...found].sort((a, b) => a.seq - b.seq)
}

/** Cancels jobs that are not running; returns their unique keys. */
export async function cancelWaiting(trx: Db, orgId: string, which: JobSelector, now: string): Promise<string[]> {
  const rows = await changeJobs(trx, await findWaiting(trx, orgId, which), cancelThem, now)
  return rows.flatMap(row => row.unique_key ?? [])
}

export async function cancelJobs(trx: Db, orgId: string, which: JobSelector, now: string): Promise<number> {
  return (await changeJobs(trx, await findUnfinished(trx, orgId, which), cancelThem, now)).length
}

const setNext = bulkQuery<Reschedule['next'] & { readonly seq: number }, object, never>((_db, rows) => {
  const values = rows.map(
    row => sql`(${wholeNumber(row.seq)}, ${row.uniqueKey}, ${row.payload}, ${row.dueAt}, ${row.addedAt})`,
  )
  return sql<never>`update job set unique_key = v.column2, payload = v.column3, due_at = v.column4, added_at = v.column5
      from (values ${sql.join(values)}) as v where job.seq = v.column1`
}, 'update')

/** A scheduled job, and what replaces it. */
export interface Reschedule {
  readonly uniqueKey: string
  readonly next: {
    readonly uniqueKey: string
    readonly payload: string
    readonly dueAt: string
    readonly addedAt: string
  }
}

/** Replaces scheduled jobs. Returns the keys of those that were scheduled; others are not changed. */
export async function rescheduleJobs(
  trx: Db,
  orgId: string,
  kind: string,
  changes: readonly Reschedule[],
): Promise<ReadonlySet<string>> {
  const uniqueKeys = changes.map(({ uniqueKey }) => uniqueKey)
  const found = uniqueKeys.length ? await findScheduled(trx, orgId, { kind, uniqueKeys }) : []
  const seqOf = new Map(found.map(({ seq, unique_key }) => [unique_key, seq]))
  await setNext(
    trx,
    changes.flatMap(({ uniqueKey, next }) => {
      const seq = seqOf.get(uniqueKey)
      return seq === undefined ? [] : [{ seq, ...next }]
    }),
    {},
  )
  return new Set(uniqueKeys.filter(key => seqOf.has(key)))
}

/**
 * Cancels a page of jobs of one pace key that have a unique key and are not running; returns these keys in order. Fewer
 * than the limit: that was the last page.
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

/** Moves jobs that are not running to another line. */
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
  /** Only jobs with lower numbers. */
  readonly before: number
  /** The last unique key of the page before; empty: the first page. */
  readonly after: string
  readonly limit: number
}

/** Makes jobs that wait for this reason, or for any, due now. */
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

/** Deletes up to `limit` jobs of a kind in every state; returns how many. */
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

import { sql } from 'kysely'
import { bulkQuery, wholeNumber } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, hotQuery } from '#server/platform/db/db.ts'
import { isUnfinished } from './conditions-store.ts'

/** Makes up to `limit` jobs due now that are to be retried, or of these kinds, and due by `until`, earliest first. */
export async function callBack(
  db: Db,
  { kinds, now, until, limit }: { kinds: readonly string[]; now: string; until: string; limit: number },
): Promise<number> {
  const isOfThese = kinds.length ? sql`(state = 'retrying' or kind in (${sql.join(kinds)}))` : sql`state = 'retrying'`
  const some = sql`select seq from job where state in ('scheduled', 'retrying') and due_at > ${now} and due_at <= ${until}
    and ${isOfThese} order by due_at limit ${limit}`
  const result = await sql`update job set due_at = ${now} where seq in (${some})`.execute(db)
  return Number(result.numAffectedRows)
}

const selectKindsFarAhead = bulkQuery<DueBound, object, Pick<DueBound, 'kind' | 'state'>>((_db, rows) => {
  const values = rows.map(row => sql`(${row.kind}, ${row.state}, ${row.after})`)
  return sql`select v.column1 as kind, v.column2 as state from (values ${sql.join(values)}) as v
    where exists (select 1 from job where job.state = v.column2 and job.kind = v.column1 and job.due_at > v.column3
      and ${sql.raw(isUnfinished('job'))})`
}, 'lookup')

/** Returns the pairs of kind and state that have a job due later than their time. */
export async function listKindsFarAhead<T extends DueBound>(db: Db, kinds: readonly T[]): Promise<readonly T[]> {
  const found = await selectKindsFarAhead(db, kinds, {})
  return kinds.filter(one => found.some(({ kind, state }) => kind === one.kind && state === one.state))
}

/** Moves up to `limit` jobs of a kind and state that are due after a time; returns how many. */
export async function callBackFarAhead(
  { read, write }: Pick<Databases, 'read' | 'write'>,
  { kind, state, after, dueAt, limit }: FarAheadPage,
): Promise<number> {
  const found = await selectFarAhead(read, { kind, state, after, limit })
  const seqs = found.map(({ seq }) => seq)
  if (seqs.length) await write.updateTable('job').set({ due_at: dueAt }).where('seq', 'in', seqs).execute()
  return seqs.length
}

/** A time after which no job of a kind and state is ever due. */
interface DueBound {
  readonly kind: string
  readonly state: 'scheduled' | 'retrying'
  readonly after: string
}

export interface FarAheadPage extends DueBound {
  /** The new due time. */
  readonly dueAt: string
  readonly limit: number
}

const selectFarAhead = hotQuery<{ kind: string; state: string; after: string; limit: number }, { seq: number }>(
  (db, p) =>
    db
      .selectFrom('job')
      .select('seq')
      .where('kind', '=', p.kind)
      .where(sql<boolean>`state = ${p.state}`)
      .where(sql<boolean>`${sql.raw(isUnfinished('job'))}`)
      .where('due_at', '>', p.after)
      .limit(p.limit) as never,
)

export interface AddedAheadPage {
  readonly kind: string
  readonly now: string
  /** Jobs added later than this were added by a clock that was ahead. */
  readonly addedBy: string
  /** The end of the page before; undefined: the first page. */
  readonly after: { readonly dueAt: string; readonly seq: number } | undefined
  readonly limit: number
}

/**
 * Corrects scheduled jobs that a clock ahead of ours added, one page of a kind at a time: they count as added now and
 * keep their delay. Returns how many were moved and where the next page begins. No `next`: this was the last page.
 */
export async function bringBackAdded(
  { read, write }: Pick<Databases, 'read' | 'write'>,
  { kind, now, addedBy, after, limit }: AddedAheadPage,
): Promise<{ moved: number; next?: NonNullable<AddedAheadPage['after']> }> {
  const { dueAt, seq } = after ?? { dueAt: now, seq: 0 }
  const rows = await read
    .selectFrom('job')
    .select(['seq', 'due_at', 'added_at'])
    .where('kind', '=', kind)
    .where(sql<boolean>`state = 'scheduled' and ${sql.raw(isUnfinished('job'))}`)
    .where('due_at', '>=', dueAt)
    .where(eb => eb.or([eb('due_at', '>', dueAt), eb('seq', '>', seq)]))
    .orderBy('due_at')
    .orderBy('seq')
    .limit(limit)
    .execute()
  const ahead = rows.filter(row => row.added_at > addedBy)
  await setTimes(
    write,
    ahead.map(row => {
      const ms = Date.parse(row.added_at) - Date.parse(now)
      return { seq: row.seq, dueAt: earlier(row.due_at, ms), addedAt: now }
    }),
    {},
  )
  const last = rows.at(-1)
  if (!last || rows.length < limit) return { moved: ahead.length }
  return { moved: ahead.length, next: { dueAt: last.due_at, seq: last.seq } }
}

/** A page of jobs of a kind, by number. */
export interface JobPage {
  readonly kind: string
  /** The last number of the page before; 0: the first page. */
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

/**
 * Moves jobs that are due later and were added before a time, with their time of adding, earlier. Returns how many, and
 * the last number.
 */
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

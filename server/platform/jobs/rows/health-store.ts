import { sql } from 'kysely'
import { bulkQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Clock, isoIn } from '#server/platform/time/clock.ts'
import type { AnyKind } from '../job.ts'
import { longestPauseMs } from '../pacing/longest-pause.ts'
import { countPacesBeyond } from '../pacing/pace-store.ts'
import { isUnfinished } from './conditions-store.ts'
import { listKindsFarAhead } from './times-store.ts'

/** Jobs of a kind by state. Counts stop at `countedTo`. */
export interface KindCount {
  readonly kind: string
  readonly waiting: number
  readonly running: number
  /** Scheduled, or to be retried. */
  readonly scheduled: number
  readonly parked: number
  /** The longest waiting job fell due at this time, seen by a runner or not; null: none is due. */
  readonly oldestDueAt: string | null
}

const countedTo = 10_000

/** Redundant, but the partial index, which omits ended jobs, requires it. */
const unfinished = sql.raw(isUnfinished('job'))

const countIn = (state: string) =>
  sql`(select count(*) from (select 1 from job where kind = v.column1 and state = ${sql.lit(state)} and ${unfinished}
    limit ${sql.lit(countedTo)}) as counted)`

const firstDueIn = (state: string, now: string) =>
  sql`(select due_at from job where kind = v.column1 and state = ${sql.lit(state)} and ${unfinished} and due_at <= ${now}
    order by due_at limit 1)`

const earliest = (...times: (string | null)[]): string | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null)

interface Counted {
  readonly kind: string
  readonly waiting: number | string
  readonly running: number | string
  readonly scheduled: number | string
  readonly parked: number | string
  readonly waitingAt: string | null
  readonly scheduledAt: string | null
  readonly retryingAt: string | null
}

/** One statement for all kinds: each of them alone would be a round trip to PostgreSQL. */
const selectCounts = bulkQuery<{ kind: string }, { now: string }, Counted>((_db, rows, { now }) => {
  const kinds = rows.map(row => sql`(${row.kind})`)
  return sql`select v.column1 as kind, ${countIn('waiting')} as waiting, ${countIn('running')} as running,
      ${countIn('scheduled')} + ${countIn('retrying')} as scheduled, ${countIn('parked')} as parked,
      ${firstDueIn('waiting', now)} as "waitingAt", ${firstDueIn('scheduled', now)} as "scheduledAt",
      ${firstDueIn('retrying', now)} as "retryingAt"
    from (values ${sql.join(kinds)}) as v`
}, 'lookup')

export async function countJobs(db: Db, kinds: readonly string[], now: string): Promise<KindCount[]> {
  const rows = await selectCounts(
    db,
    kinds.map(kind => ({ kind })),
    { now },
  )
  const byKind = new Map(rows.map(row => [row.kind, row]))
  return [...byKind.values()].map(({ kind, waitingAt, scheduledAt, retryingAt, ...counts }) => ({
    kind,
    waiting: Number(counts.waiting),
    running: Number(counts.running),
    scheduled: Number(counts.scheduled),
    parked: Number(counts.parked),
    oldestDueAt: earliest(waitingAt, scheduledAt, retryingAt),
  }))
}

/** Lists the time at which the longest waiting job of each kind fell due, including kinds that no process runs. */
export async function listOldestDue(db: Db, now: string): Promise<{ kind: string; at: string }[]> {
  const { rows } = await sql<{ kind: string; at: string }>`select kind, min(due_at) as at from job
    where state in ('waiting', 'scheduled', 'retrying') and ${unfinished} and due_at <= ${now}
    group by kind order by kind`.execute(db)
  return rows
}

/** Parked jobs by kind, including kinds that no process runs; kinds without any are absent. */
export async function countParkedJobs(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ kind: string; count: number }>`select kind, count(*) as count
    from (select kind from job where state = 'parked' and ${unfinished} limit ${sql.lit(countedTo)}) as counted
    group by kind order by kind`.execute(db)
  return new Map(rows.map(row => [row.kind, Number(row.count)]))
}

/** Rows written by a clock that was ahead: with later times than possible. */
export interface FarAhead {
  readonly jobs: number
  /** Pauses of pace keys. */
  readonly pauses: number
  /** Processes whose last heartbeat is in the future. */
  readonly processes: number
}

/** Clocks of several machines may differ by this much. */
const clockToleranceMs = 60_000

/** Counts jobs of the given kinds only. */
export async function countFarAhead(
  db: Db,
  { clock, kinds }: { clock: Clock; kinds: readonly Pick<AnyKind, 'name' | 'looksWithinMs'>[] },
): Promise<FarAhead> {
  let jobs = 0
  const bounds = kinds.map(({ name, looksWithinMs }) => ({
    kind: name,
    state: 'scheduled' as const,
    after: isoIn(clock, looksWithinMs + clockToleranceMs),
  }))
  for (const { kind, after } of await listKindsFarAhead(db, bounds)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from (select 1 from job
      where kind = ${kind} and state = 'scheduled' and ${unfinished} and due_at > ${after}
      limit ${sql.lit(countedTo)}) as counted`.execute(db)
    jobs += Number(rows[0]?.count)
  }
  const { count } = await db
    .selectFrom('job_worker')
    .select(eb => eb.fn.countAll().as('count'))
    .where('seen_at', '>', isoIn(clock, clockToleranceMs))
    .executeTakeFirstOrThrow()
  return { jobs, pauses: await countPacesBeyond(db, isoIn(clock, longestPauseMs)), processes: Number(count) }
}

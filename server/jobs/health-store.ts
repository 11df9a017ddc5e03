import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { isUnfinished } from './conditions-store.ts'

/** What waits of a kind. Counts end at `countedTo`: beyond it the number says only that it is large. */
export interface KindCount {
  readonly kind: string
  readonly waiting: number
  readonly running: number
  /** Due later: scheduled, or to be tried again. */
  readonly scheduled: number
  readonly parked: number
  /** When the longest waiting of them was due; null: none waits. */
  readonly oldestDueAt: string | null
}

const countedTo = 10_000

/** Says nothing new; without it no engine would take the index, which leaves out what has ended. */
const unfinished = sql.raw(isUnfinished('job'))

const countIn = (kind: string, state: string) =>
  sql`(select count(*) from (select 1 from job where kind = ${kind} and state = ${sql.lit(state)} and ${unfinished}
    limit ${sql.lit(countedTo)}) as some)`

export async function countJobs(db: Db, kinds: readonly string[]): Promise<KindCount[]> {
  const counts: KindCount[] = []
  for (const kind of kinds) {
    const { rows } = await sql<Omit<KindCount, 'kind'>>`select
      ${countIn(kind, 'waiting')} as waiting, ${countIn(kind, 'running')} as running,
      ${countIn(kind, 'scheduled')} + ${countIn(kind, 'retrying')} as scheduled, ${countIn(kind, 'parked')} as parked,
      (select due_at from job where kind = ${kind} and state = 'waiting' and ${unfinished}
        order by due_at limit 1) as "oldestDueAt"`.execute(db)
    counts.push({ kind, ...(rows[0] as Omit<KindCount, 'kind'>) })
  }
  return counts
}

/** When the longest waiting job of each kind was due, kinds that nobody runs here included. */
export async function listOldestDue(db: Db): Promise<{ kind: string; at: string }[]> {
  const { rows } = await sql<{ kind: string; at: string }>`select kind, min(due_at) as at from job
    where state = 'waiting' and ${unfinished} group by kind order by kind`.execute(db)
  return rows
}

import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { JobState } from '../table.ts'
import { inLine, isKeyed } from './conditions-store.ts'

/** A job that holds its place in its line. */
export interface LineJob {
  readonly uniqueKey: string | null
  readonly state: JobState
  /** The reason of its last attempt; null before the first. */
  readonly reason: string | null
  /** The job may start at this time, by its own due time and its rate limit. */
  readonly startsAt: string
}

export interface LineSelector {
  readonly kind: string
  readonly orderKey: string
  readonly uniqueKeys: readonly string[]
}

const inLineOf = (db: Db, orgId: string, { kind, orderKey }: Pick<LineSelector, 'kind' | 'orderKey'>) =>
  db
    .selectFrom('job')
    .leftJoin('job_pace', join =>
      join.onRef('job_pace.org_id', '=', 'job.org_id').onRef('job_pace.pace_key', '=', 'job.pace_key'),
    )
    .select(['job.seq', 'job.unique_key', 'job.state', 'job.reason', 'job.due_at', 'job_pace.free_at'])
    .where('job.org_id', '=', orgId)
    .where('job.order_key', '=', orderKey)
    .where('job.kind', '=', kind)
    .where(sql<boolean>`${sql.raw(isKeyed('job'))} and ${sql.raw(inLine('job'))}`)
    .orderBy('job.lane')
    .orderBy('job.seq')

const firstOf = hotQuery((db, p: { orgId: string; kind: string; orderKey: string }) =>
  inLineOf(db, p.orgId, p).limit(1),
)

/** The first job of a line, and those with these unique keys, in order. */
export async function listLine(
  db: Db,
  orgId: string,
  { kind, orderKey, uniqueKeys }: LineSelector,
): Promise<LineJob[]> {
  const [first] = await firstOf(db, { orgId, kind, orderKey })
  if (!first) return []
  const others = uniqueKeys.filter(key => key !== first.unique_key)
  const named = others.length
    ? await inLineOf(db, orgId, { kind, orderKey }).where('job.unique_key', 'in', others).execute()
    : []
  return [first, ...named].map(row => ({
    uniqueKey: row.unique_key,
    state: row.state,
    reason: row.reason,
    startsAt: row.free_at !== null && row.free_at > row.due_at ? row.free_at : row.due_at,
  }))
}

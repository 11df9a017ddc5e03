import { sql } from 'kysely'
import { bulkQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import { longestPauseMs } from './longest-pause.ts'

export interface PaceRow {
  readonly orgId: string
  readonly paceKey: string
  /** Null: unlimited. */
  readonly perSecond: number | null
  /** The next job of the key may start at this time, ISO 8601. */
  readonly freeAt: string
}

type PaceOf = Pick<PaceRow, 'orgId' | 'paceKey'>

const selectPaces = bulkQuery<PaceOf, object, PaceRow>(
  (_db, keys) =>
    sql<PaceRow>`select org_id as "orgId", pace_key as "paceKey", per_second as "perSecond", free_at as "freeAt"
      from job_pace where (org_id, pace_key) in (values ${sql.join(keys.map(key => sql`(${key.orgId}, ${key.paceKey})`))})`,
  'lookup',
)

export const listPaces = (trx: Db, keys: readonly PaceOf[]): Promise<PaceRow[]> => selectPaces(trx, keys, {})

const upsertPaces = bulkQuery<PaceRow, object, never>(
  (db, rows) =>
    db
      .insertInto('job_pace')
      .values(
        rows.map(row => ({
          org_id: row.orgId,
          pace_key: row.paceKey,
          per_second: row.perSecond,
          free_at: row.freeAt,
        })),
      )
      .onConflict(conflict =>
        conflict.columns(['org_id', 'pace_key']).doUpdateSet(eb => ({ free_at: eb.ref('excluded.free_at') })),
      ) as never,
)

export async function savePaces(trx: Db, rows: readonly PaceRow[]): Promise<void> {
  await upsertPaces(trx, rows, {})
}

const upsertPerSecond = hotQuery<{ orgId: string; paceKey: string; perSecond: number | null; now: string }, never>(
  (db, p) =>
    db
      .insertInto('job_pace')
      .values({ org_id: p.orgId, pace_key: p.paceKey, per_second: p.perSecond, free_at: p.now })
      .onConflict(conflict =>
        conflict
          .columns(['org_id', 'pace_key'])
          .doUpdateSet(eb => ({ per_second: eb.ref('excluded.per_second') }))
          // Skips unchanged rates: it is set before each of many steps and rarely changes.
          .whereRef('job_pace.per_second', 'is distinct from', 'excluded.per_second' as never),
      ) as never,
)

export async function setPerSecond(
  trx: Db,
  pace: { orgId: string; paceKey: string; perSecond: number | null; now: string },
): Promise<void> {
  await upsertPerSecond(trx, pace)
}

/** Clears rate limits that expire before `until`. Scans every key, for a rare event. */
export async function freePaces(db: Db, { now, until }: { now: string; until: string }): Promise<void> {
  await db
    .updateTable('job_pace')
    .set({ free_at: now })
    .where('free_at', '>', now)
    .where('free_at', '<=', until)
    .execute()
}

export async function restUntil(
  trx: Db,
  { orgId, paceKey, until }: { orgId: string; paceKey: string; until: string },
): Promise<void> {
  const farthest = new Date(Date.parse(until) + longestPauseMs).toISOString()
  await trx
    .insertInto('job_pace')
    .values({ org_id: orgId, pace_key: paceKey, per_second: null, free_at: until })
    .onConflict(conflict =>
      conflict
        .columns(['org_id', 'pace_key'])
        .doUpdateSet({ free_at: until })
        .where(eb => eb.or([eb('job_pace.free_at', '<', until), eb('job_pace.free_at', '>', farthest)])),
    )
    .execute()
}

/** Counts keys that are paused for longer than possible, because a clock was ahead. */
export async function countPacesBeyond(db: Db, farthest: string): Promise<number> {
  const { count } = await db
    .selectFrom('job_pace')
    .select(eb => eb.fn.countAll().as('count'))
    .where('free_at', '>', farthest)
    .executeTakeFirstOrThrow()
  return Number(count)
}

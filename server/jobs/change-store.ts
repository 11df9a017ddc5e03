import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { lineColumns, unblockHeads } from './add-store.ts'
import { isUnfinished } from './conditions-store.ts'

/** Jobs of a kind within an organization: those of these unique keys, or all. */
export interface JobSelector {
  readonly kind: string
  readonly uniqueKeys?: readonly string[]
}

export async function cancelJobs(
  trx: Db,
  orgId: string,
  { kind, uniqueKeys }: JobSelector,
  now: string,
): Promise<number> {
  if (uniqueKeys && !uniqueKeys.length) return 0
  let query = trx
    .updateTable('job')
    .set({ state: 'cancelled', owner: null, finished_at: now })
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where(sql<boolean>`${sql.raw(isUnfinished('job'))}`)
  if (uniqueKeys) query = query.where('unique_key', 'is not', null).where('unique_key', 'in', uniqueKeys)
  const rows = await query.returning(lineColumns).execute()
  await unblockHeads(trx, rows)
  return rows.length
}

export async function requeueParked(
  trx: Db,
  orgId: string,
  { kind, uniqueKeys }: JobSelector,
  now: string,
): Promise<number> {
  let query = trx
    .updateTable('job')
    .set({
      state: 'waiting',
      attempts: 0,
      reason: null,
      due_at: now,
      blocked: sql<number>`case when order_key is null then 0 else 1 end`,
    })
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where('state', '=', sql.lit('parked'))
  if (uniqueKeys) query = query.where('unique_key', 'is not', null).where('unique_key', 'in', uniqueKeys)
  const rows = await query.returning(lineColumns).execute()
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

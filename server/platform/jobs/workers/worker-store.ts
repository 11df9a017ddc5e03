import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { type ClaimedRow, claimedColumns } from '../claiming/claim-store.ts'
import { isUnfinished } from '../rows/conditions-store.ts'

/** A live process. */
export interface Worker {
  readonly id: string
  /** The host on which its pid is valid. Null: unknown. */
  readonly host: string | null
  readonly pid: number
  readonly seenAt: string
}

export async function insertWorker(db: Db, { id, host, pid, seenAt }: Worker): Promise<void> {
  await db.insertInto('job_worker').values({ id, place: host, pid, seen_at: seenAt }).execute()
}

export async function beat(db: Db, id: string, now: string): Promise<boolean> {
  const result = await db.updateTable('job_worker').set({ seen_at: now }).where('id', '=', id).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function listWorkers(db: Db): Promise<Worker[]> {
  const rows = await db.selectFrom('job_worker').selectAll().limit(1000).execute()
  return rows.map(row => ({ id: row.id, host: row.place, pid: row.pid, seenAt: row.seen_at }))
}

export async function forgetWorkers(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length) await db.deleteFrom('job_worker').where('id', 'in', ids).execute()
}

/** Jobs that an owner has claimed and not ended. */
export async function listRunningOf(db: Db, owner: string, limit: number): Promise<ClaimedRow[]> {
  const { rows } = await sql<ClaimedRow>`select ${sql.raw(claimedColumns)} from job
    where state = 'running' and ${sql.raw(isUnfinished('job'))} and owner = ${owner} order by seq limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function listLost(db: Db, limit: number): Promise<(ClaimedRow & { owner: string })[]> {
  const { rows } = await sql<ClaimedRow & { owner: string }>`select ${sql.raw(claimedColumns)}, owner from job
    where state = 'running' and ${sql.raw(isUnfinished('job'))} and owner not in (select id from job_worker)
    order by owner, seq limit ${limit}`.execute(db)
  return rows
}

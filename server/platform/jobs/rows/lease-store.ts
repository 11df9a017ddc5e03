import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'

const selectHeld = hotQuery<{ name: string; owner: string }, { name: string }>(
  (db, p) => db.selectFrom('job_lease').select('name').where('name', '=', p.name).where('owner', '=', p.owner) as never,
)

export const isLeaseHeld = async (db: Db, name: string, owner: string): Promise<boolean> =>
  (await selectHeld(db, { name, owner })).length > 0

const selectTaken = hotQuery<{ name: string }, { name: string }>(
  (db, p) =>
    db
      .selectFrom('job_lease')
      .innerJoin('job_worker', 'job_worker.id', 'job_lease.owner')
      .select('job_lease.name')
      .where('job_lease.name', '=', p.name) as never,
)

export const isLeaseTaken = async (db: Db, name: string): Promise<boolean> =>
  (await selectTaken(db, { name })).length > 0

export async function takeLease(db: Db, name: string, owner: string): Promise<boolean> {
  const { rows } = await sql<{ owner: string }>`insert into job_lease (name, owner) values (${name}, ${owner})
    on conflict (name) do update set owner = excluded.owner
      where job_lease.owner not in (select id from job_worker)
    returning owner`.execute(db)
  return rows.length > 0
}

const selectWorker = hotQuery<{ id: string }, { id: string }>(
  (db, p) => db.selectFrom('job_worker').select('id').where('id', '=', p.id) as never,
)

export const isAtWork = async (db: Db, id: string): Promise<boolean> => (await selectWorker(db, { id })).length > 0

import { type Kysely, sql } from 'kysely'

/** Numbers that were connected before anybody read how they stand are read by themselves from now on. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await sql`insert into job (org_id, kind, lane, queue, pace_key, unique_key, payload, state, blocked, attempts, due_at,
      added_at)
    select c.org_id, 'numbers.standing', 1, 'numbers.standing/1/' || c.org_id || '/', '', 'standing', '{}', 'scheduled',
      0, 0, min(c.updated_at), min(c.updated_at)
    from wa_connection as c
    where c.disconnected_at is null and not exists (
      select 1 from job as j where j.org_id = c.org_id and j.kind = 'numbers.standing'
        and j.state in ('scheduled', 'waiting', 'running', 'retrying', 'parked'))
    group by c.org_id order by c.org_id`.execute(db)
}

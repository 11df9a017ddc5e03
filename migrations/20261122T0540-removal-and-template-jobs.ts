import { type Kysely, sql } from 'kysely'

/** Deletions that are not through and lists of templates that are read now and then are jobs like everything else that waits. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  const columns = sql.raw(`org_id, kind, lane, queue, pace_key, unique_key, payload, state, blocked, attempts, due_at,
    added_at`)
  await sql`insert into job (${columns})
    select '', 'organization.removal', 1, 'organization.removal/1//', '', id, '{"orgId":"' || id || '"}', 'scheduled', 0,
      0, deleted_at, deleted_at
    from organization where deleted_at is not null order by deleted_at, id`.execute(db)
  await sql`insert into job (${columns})
    select c.org_id, 'templates.sync', 1, 'templates.sync/1/' || c.org_id || '/', '', 'sync', '{}', 'scheduled', 0, 0,
      min(case when s.waba_id = c.waba_id then s.due_at else c.updated_at end), min(c.updated_at)
    from wa_connection as c left join template_sync as s on s.org_id = c.org_id
    where c.status = 'connected' and c.disconnected_at is null group by c.org_id order by c.org_id`.execute(db)
  // A chore of its own from now on.
  await sql`delete from job where kind = 'maintenance' and unique_key = 'half made organizations'`.execute(db)
  await db.schema.alterTable('template_sync').dropColumn('due_at').execute()
}

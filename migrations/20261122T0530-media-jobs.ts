import { type Kysely, sql } from 'kysely'

/** Files that are still to be fetched are jobs like everything else that waits; tries that were made count. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await sql`insert into job (org_id, kind, lane, queue, pace_key, unique_key, payload, state, blocked, attempts, due_at,
      reason, added_at)
    select org_id, 'media', 1, 'media/1/' || org_id || '/', '', id, '{"mediaId":"' || id || '"}', 'scheduled', 0,
      attempts, coalesce(next_attempt_at, created_at), error, created_at
    from media where state = 'pending' order by created_at, id`.execute(db)
  await sql`update media set error = null where state = 'pending'`.execute(db)
  await db.schema.dropIndex('media_due').execute()
  await db.schema.alterTable('media').dropColumn('next_attempt_at').execute()
  await db.schema.alterTable('media').dropColumn('attempts').execute()
}

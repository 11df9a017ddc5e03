import { type Kysely, sql } from 'kysely'

/** The list with whom it is held: whoever goes through it for tags or names reads no row for that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index conversation_list`.execute(db)
  await sql`create index conversation_list on conversation (org_id, kind, archived, last_activity_at desc, id desc, contact_id)`.execute(
    db,
  )
}

import { type Kysely, sql } from 'kysely'

/** Contacts can be listed by name: by the beginning of the folded text, which starts with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index contact_name on contact (org_id, substr(search, 1, 40), id)`.execute(db)
}

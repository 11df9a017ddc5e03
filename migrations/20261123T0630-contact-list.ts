import { type Kysely, sql } from 'kysely'

/** Contacts are listed, the newest first: all of an organization, or those that want no marketing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index "contact_list" on "contact" ("org_id", "id")`.execute(db)
  await sql`create index "contact_opted_out" on "contact" ("org_id", "id") where "opt_out" is not null`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds how many messages of a conversation another system last counted as unread. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conversation add column outside_unread integer`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Who had a conversation when it was archived: whoever takes that back gives it back to them. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table "conversation" add column "control_before_archive" text`.execute(db)
}

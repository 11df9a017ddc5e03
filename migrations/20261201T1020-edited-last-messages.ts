import { type Kysely, sql } from 'kysely'

/** Rows whose last message was edited said that it had been deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update conversation set last_message_type = (select type from message where seq = last_message_seq)
    where last_message_type = 'revoked'
      and exists (select 1 from message where seq = last_message_seq and revoked_at is null)`.execute(db)
}

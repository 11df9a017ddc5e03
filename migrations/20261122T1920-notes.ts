import { type Kysely, sql } from 'kysely'

/** Notes of a conversation are listed apart: few among many messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index message_notes on message (conversation_id, at desc, seq desc) where type = 'note'`.execute(db)
}

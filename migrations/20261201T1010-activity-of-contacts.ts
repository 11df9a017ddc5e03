import { type Kysely, sql } from 'kysely'

/** What was done with a contact is read without what was said. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index message_activity on message (conversation_id, at desc, seq desc) where type = 'activity'`.execute(
    db,
  )
}

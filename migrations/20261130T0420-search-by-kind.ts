import { type Kysely, sql } from 'kysely'

/** What few messages are is found without a look at all of them: a kind that is no text, and what could not be sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index message_kinds on message (org_id, type, seq desc) where type not in ('text', 'activity')`.execute(
    db,
  )
  await sql`create index message_failed on message (org_id, seq desc) where status = 'failed'`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** What could not be sent and is of a kind: without it every failure was looked at for the few that are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index message_failed_kinds on message (org_id, type, seq desc) where status = 'failed'`.execute(db)
}

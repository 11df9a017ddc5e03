import { type Kysely, sql } from 'kysely'

/** Promised first responses that are overdue can be listed and counted, the longest overdue first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index answer_due_by_time on answer_due (org_id, due_at, conversation_id)`.execute(db)
}

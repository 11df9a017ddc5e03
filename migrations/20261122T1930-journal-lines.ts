import { type Kysely, sql } from 'kysely'

/** Webhooks wait in a line for each connection, so that connections can be taken in turn. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.dropIndex('webhook_journal_waiting').execute()
  await db.schema
    .createIndex('webhook_journal_waiting')
    .on('webhook_journal')
    .columns(['connection_id', 'seq'])
    .where(sql.ref('state'), '=', sql.lit(0))
    .execute()
}

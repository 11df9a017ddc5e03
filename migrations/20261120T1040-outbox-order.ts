import { type Kysely, sql } from 'kysely'

/** A conversation's messages leave one after another: what stands before a row is looked up for every row that is due. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createIndex('outbox_conversation')
    .on('outbox')
    .columns(['conversation_id', 'seq'])
    .where(sql.ref('state'), '!=', sql.lit('done'))
    .execute()
}

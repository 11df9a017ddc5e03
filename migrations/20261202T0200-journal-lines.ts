import { type Kysely, sql } from 'kysely'

/**
 * Webhooks wait in lines that take turns, weighed by about how many messages they bring. How far a large one has been
 * derived is kept beside the journal: an update of a row of megabytes would write the megabytes again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('webhook_journal')
    .addColumn('line', 'text', c => c.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('webhook_journal')
    .addColumn('messages', 'integer', c => c.notNull().defaultTo(1))
    .execute()
  await sql`update webhook_journal set line = connection_id where state = 0 and connection_id is not null`.execute(db)
  await db.schema.dropIndex('webhook_journal_waiting').execute()
  await db.schema
    .createIndex('webhook_journal_waiting')
    .on('webhook_journal')
    .columns(['line', 'seq', 'messages'])
    .where(sql.ref('state'), '=', sql.lit(0))
    .execute()
  await db.schema
    .createTable('webhook_place')
    .addColumn('seq', 'integer', c => c.primaryKey().references('webhook_journal.seq').onDelete('cascade'))
    .addColumn('place', 'integer', c => c.notNull())
    .execute()
}

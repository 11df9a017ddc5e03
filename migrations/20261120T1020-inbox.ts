import type { Kysely } from 'kysely'

/**
 * `contact.search`: every name and number of a contact, folded, so that looking one up is one comparison a row.
 * A sender's key names one message for ever: pressing send twice is one message whatever the two requests do.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('contact')
    .addColumn('search', 'text', c => c.notNull().defaultTo(''))
    .execute()
  await db.schema
    .createIndex('message_client_key')
    .on('message')
    .columns(['org_id', 'author_id', 'client_key'])
    .unique()
    .where('client_key', 'is not', null)
    .execute()
}

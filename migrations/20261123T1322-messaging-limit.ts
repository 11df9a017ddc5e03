import type { Kysely } from 'kysely'

/** How many people Meta lets a number write to first in a day, whom the organization wrote to first, and why a send waits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: Meta has not said; -1: there is none.
  await db.schema.alterTable('wa_connection').addColumn('messaging_limit', 'integer').execute()
  await db.schema
    .createTable('opened_person')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('contact_id', 'text', c => c.primaryKey().references('contact.id').onDelete('cascade'))
    .addColumn('opened_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('opened_person_lately').on('opened_person').columns(['org_id', 'opened_at']).execute()
  await db.schema.alterTable('bulk_send').addColumn('held_for', 'text').execute()
  await db.schema.alterTable('bulk_send').addColumn('held_until', 'text').execute()
}

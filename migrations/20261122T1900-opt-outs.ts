import type { Kysely } from 'kysely'

/** Contacts that want no marketing: when, how and why as JSON; and what an organization takes for such a word. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('contact').addColumn('opt_out', 'text').execute()
  await db.schema
    .createTable('opt_out_settings')
    .addColumn('org_id', 'text', column => column.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('stop_words', 'text', column => column.notNull())
    .addColumn('resume_words', 'text', column => column.notNull())
    .addColumn('confirms', 'integer', column => column.notNull())
    .addColumn('stop_text', 'text')
    .addColumn('resume_text', 'text')
    .addColumn('updated_at', 'text', column => column.notNull())
    .execute()
}

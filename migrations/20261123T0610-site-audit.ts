import type { Kysely } from 'kysely'

/** What administrators of the site did to accounts, whatever organizations these are in. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('site_audit_entry')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('action', 'text', c => c.notNull())
    // Without references: what somebody did outlives them.
    .addColumn('actor_id', 'text', c => c.notNull())
    .addColumn('actor', 'text', c => c.notNull())
    .addColumn('subject', 'text', c => c.notNull())
    .addColumn('address', 'text')
    .addColumn('device', 'text')
    // JSON of the facts that differ; null: none.
    .addColumn('changes', 'text')
    // 0: begun, and nobody knows whether it was done.
    .addColumn('is_done', 'integer', c => c.notNull())
    .execute()
  await db.schema.createIndex('site_audit_entry_at').on('site_audit_entry').column('at').execute()
}

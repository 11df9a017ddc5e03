import type { Kysely } from 'kysely'

/** Who changed what of an organization, when, from where, and what it was before and after. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('audit_entry')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('action', 'text', c => c.notNull())
    // Without a reference: what somebody did outlives them.
    .addColumn('actor_id', 'text', c => c.notNull())
    .addColumn('actor', 'text', c => c.notNull())
    .addColumn('address', 'text')
    .addColumn('device', 'text')
    .addColumn('subject', 'text')
    // JSON of the facts that differ; null: none.
    .addColumn('changes', 'text')
    // 0: begun, and nobody knows whether it was done.
    .addColumn('is_done', 'integer', c => c.notNull())
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('audit_entry').columns(columns).execute()
  await index('audit_entry_org', ['org_id', 'id'])
  await index('audit_entry_kind', ['org_id', 'kind', 'id'])
  await index('audit_entry_actor', ['org_id', 'actor_id', 'id'])
  await index('audit_entry_at', ['at'])
}

import type { Kysely } from 'kysely'

/** What flows call other services with, sealed; and of a step that called one, how that went. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('flow_secret')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('name', 'text', c => c.notNull())
    // The one host that may have it.
    .addColumn('host', 'text', c => c.notNull())
    .addColumn('sealed', 'text', c => c.notNull())
    .addColumn('changed_at', 'text', c => c.notNull())
    .addColumn('changed_by', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('flow_secret_key', ['org_id', 'name'])
    .execute()
  // JSON: status, time and tries; null: it called nobody.
  await db.schema.alterTable('flow_step').addColumn('call', 'text').execute()
}

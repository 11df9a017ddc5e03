import type { Kysely } from 'kysely'

/** How fast a number that WhatsApp held back goes on with sends to many. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bulk_pace')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('connection_id', 'text', c => c.primaryKey().references('wa_connection.id').onDelete('cascade'))
    .addColumn('per_second', 'integer', c => c.notNull())
    .addColumn('slowed_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('bulk_pace_org').on('bulk_pace').column('org_id').execute()
}

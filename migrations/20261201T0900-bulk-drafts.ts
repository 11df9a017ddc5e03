import type { Kysely } from 'kysely'

/** Bulk sends that are being put together: kept for whoever goes on with them, on whatever machine. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bulk_draft')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('creator_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('saver_name', 'text', c => c.notNull())
    .addColumn('revision', 'integer', c => c.notNull())
    .addColumn('summary', 'text', c => c.notNull())
    .addColumn('steps', 'text', c => c.notNull())
    .addColumn('people', 'text', c => c.notNull())
    .addColumn('saved_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('bulk_draft_saved').on('bulk_draft').columns(['org_id', 'saved_at', 'id']).execute()
}

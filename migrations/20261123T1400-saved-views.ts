import type { Kysely } from 'kysely'

/** What the list of conversations is narrowed by, under a name: an organization's, or one person's in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_view')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('author_id', 'text', column => column.notNull())
    .addColumn('shared', 'integer', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('filter', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('saved_view_had').on('saved_view').columns(['org_id', 'shared', 'author_id']).execute()
}

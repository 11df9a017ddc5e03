import type { Kysely } from 'kysely'

/** Files of contacts that are taken in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact_import')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('file', 'text', column => column.notNull())
    .addColumn('author_name', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('request', 'text')
    .addColumn('row_count', 'integer', column => column.notNull())
    .addColumn('place', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('done', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('created', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('updated', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('unchanged', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('refused', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('faults', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .addColumn('announced_at', 'text', column => column.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  await db.schema.createIndex('contact_import_org').on('contact_import').columns(['org_id', 'id']).execute()
}

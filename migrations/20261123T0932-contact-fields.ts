import type { Kysely } from 'kysely'

/** What an organization keeps of its contacts beside their names, and what it knows of each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact_field')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('label', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('options', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('contact_field_org').on('contact_field').columns(['org_id', 'id']).execute()
  // Values of a field that is gone go in batches, so nothing takes them along.
  await db.schema
    .createTable('contact_value')
    .addColumn('contact_id', 'text', column => column.notNull().references('contact.id').onDelete('cascade'))
    .addColumn('field_id', 'text', column => column.notNull())
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('value', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('contact_value_pk', ['contact_id', 'field_id'])
    .execute()
  await db.schema.createIndex('contact_value_field').on('contact_value').columns(['org_id', 'field_id']).execute()
}

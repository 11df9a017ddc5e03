import type { Kysely } from 'kysely'

/** Contacts that a person made one, with what moved, for as long as it can be undone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact_merge')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('contact_id', 'text', column => column.notNull().references('contact.id').onDelete('cascade'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('by_name', 'text', column => column.notNull())
    .addColumn('merged_at', 'text', column => column.notNull())
    .addColumn('undo_until', 'text', column => column.notNull())
    .addColumn('moved', 'text')
    .execute()
  await db.schema.createIndex('contact_merge_contact').on('contact_merge').columns(['contact_id', 'id']).execute()
  await db.schema.createIndex('contact_merge_org').on('contact_merge').columns(['org_id', 'id']).execute()
  await db.schema.createIndex('contact_merge_over').on('contact_merge').column('undo_until').execute()
  await db.schema
    .createTable('contact_merge_message')
    .addColumn('merge_id', 'text', column => column.notNull().references('contact_merge.id').onDelete('cascade'))
    .addColumn('message_id', 'text', column => column.notNull())
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('conversation_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('contact_merge_message_pk', ['merge_id', 'message_id'])
    .execute()
  await db.schema.createIndex('contact_merge_message_org').on('contact_merge_message').column('org_id').execute()
}

import type { Kysely } from 'kysely'

/** Who has a flow's editor open, until when, and who draws in it. Rows, so that every process knows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('flow_presence')
    .addColumn('flow_id', 'text', column => column.notNull().references('flow.id').onDelete('cascade'))
    .addColumn('person_id', 'text', column => column.notNull())
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('looks_until', 'text', column => column.notNull())
    .addColumn('writes_until', 'text')
    .addPrimaryKeyConstraint('flow_presence_pk', ['flow_id', 'person_id'])
    .execute()
  await db.schema.createIndex('flow_presence_age').on('flow_presence').column('looks_until').execute()
}

import type { Kysely } from 'kysely'

/** Audiences of bulk sends that are kept by a name: who is among them is found out each time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audience_segment')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('label', 'text', c => c.notNull())
    .addColumn('filter', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('audience_segment_org').on('audience_segment').columns(['org_id', 'id']).execute()
}

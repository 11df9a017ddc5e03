import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A file that came with a call and is nobody's yet. What is left of a call that died is removed by its row.
  await db.schema
    .createTable('received_file')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('received_file_age').on('received_file').column('created_at').execute()
  await db.schema.createIndex('received_file_org').on('received_file').column('org_id').execute()

  // Meta's copy of a file, by what is in it: good for thirty days and for one number.
  await db.schema
    .createTable('uploaded_file')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('connection_id', 'text', c => c.notNull())
    .addColumn('sha256', 'text', c => c.notNull())
    .addColumn('mime', 'text', c => c.notNull())
    .addColumn('provider_id', 'text', c => c.notNull())
    .addColumn('uploaded_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('uploaded_file_pk', ['org_id', 'connection_id', 'sha256', 'mime'])
    .execute()
  await db.schema.createIndex('uploaded_file_age').on('uploaded_file').column('uploaded_at').execute()
}

import type { Kysely } from 'kysely'

/** A file that goes along with a ready answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ready_answer_file')
    .addColumn('answer_id', 'text', column => column.primaryKey().references('ready_answer.id').onDelete('cascade'))
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('mime', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('size', 'integer', column => column.notNull())
    .addColumn('sha256', 'text', column => column.notNull())
    .addColumn('path', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('ready_answer_file_org').on('ready_answer_file').columns(['org_id', 'id']).execute()
}

import type { Kysely } from 'kysely'

/** Texts that are written once and put where somebody answers: an organization's, or one person's in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ready_answer')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('author_id', 'text', column => column.notNull())
    .addColumn('shared', 'integer', column => column.notNull())
    .addColumn('shortcut', 'text', column => column.notNull())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('ready_answer_had')
    .on('ready_answer')
    .columns(['org_id', 'shared', 'author_id'])
    .execute()
}

import type { Kysely } from 'kysely'

/** Who has a chat open, until when, and who writes in it. Rows, so that every process knows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('chat_presence')
    .addColumn('conversation_id', 'text', column => column.notNull().references('conversation.id').onDelete('cascade'))
    .addColumn('person_id', 'text', column => column.notNull())
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('looks_until', 'text', column => column.notNull())
    .addColumn('writes_until', 'text')
    .addPrimaryKeyConstraint('chat_presence_pk', ['conversation_id', 'person_id'])
    .execute()
  await db.schema.createIndex('chat_presence_age').on('chat_presence').column('looks_until').execute()
}

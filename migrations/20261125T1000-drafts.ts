import type { Kysely } from 'kysely'

/** What a person is writing in a chat and has not sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('chat_draft')
    .addColumn('conversation_id', 'text', column => column.notNull().references('conversation.id').onDelete('cascade'))
    .addColumn('person_id', 'text', column => column.notNull())
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('saved_at', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('chat_draft_pk', ['conversation_id', 'person_id'])
    .execute()
  await db.schema.createIndex('chat_draft_person').on('chat_draft').columns(['org_id', 'person_id']).execute()
  await db.schema.createIndex('chat_draft_newest').on('chat_draft').columns(['org_id', 'saved_at']).execute()
  await db.schema.createIndex('chat_draft_age').on('chat_draft').column('saved_at').execute()
}

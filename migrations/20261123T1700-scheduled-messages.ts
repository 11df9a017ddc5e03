import { type Kysely, sql } from 'kysely'

/** Messages that people write now and that are sent later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('scheduled_message')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('conversation_id', 'text', column => column.notNull().references('conversation.id').onDelete('cascade'))
    .addColumn('author_kind', 'text', column => column.notNull())
    .addColumn('author_id', 'text', column => column.notNull())
    .addColumn('author_name', 'text', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('due_at', 'text', column => column.notNull())
    .addColumn('ends_on_reply', 'integer', column => column.notNull())
    .addColumn('held_code', 'text')
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('scheduled_message_chat')
    .on('scheduled_message')
    .columns(['conversation_id', 'due_at'])
    .execute()
  await db.schema
    .createIndex('scheduled_message_author')
    .on('scheduled_message')
    .columns(['org_id', 'author_id'])
    .execute()
  // Asked for with every message that comes in.
  await sql`create index scheduled_message_unless_answered on scheduled_message (conversation_id)
    where ends_on_reply = 1`.execute(db)
}

import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './baseline/schema.ts'

/**
 * When a conversation comes back to the list of open ones, or that it came back. One row at most for each; it counts while
 * `conversation.archived` is 2.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('snooze')
    .addColumn('conversation_id', 'text', c => c.primaryKey().references('conversation.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('until', 'text', c => c.notNull())
    .addColumn('if_no_answer', 'integer', c => c.notNull())
    .addColumn('by_id', 'text', c => c.notNull())
    .addColumn('by_name', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  await runAll(db, [`create index snooze_waiting on snooze (org_id, until, conversation_id) where ended_at is null`])
}

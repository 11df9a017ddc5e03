import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './baseline/schema.ts'

/**
 * Until when customers should get the promised first response. Those who wait already get their row when their segments
 * are rebuilt, for which they are marked here.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('answer_due')
    .addColumn('conversation_id', 'text', c => c.primaryKey().references('conversation.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('segment_id', 'text', c => c.notNull())
    .addColumn('since', 'text', c => c.notNull())
    .addColumn('due_at', 'text', c => c.notNull())
    .addColumn('warned_at', 'text')
    .execute()
  await runAll(db, [
    `create index answer_due_org on answer_due (org_id, conversation_id)`,
    `insert into conversation_segment_due (conversation_id, org_id)
       select conversation_id, org_id from conversation_segment
       where is_last = 1 and resolved_at is null and waiting_since is not null and first_reply_at is null
         and conversation_id is not null
       on conflict do nothing`,
  ])
}

import type { Kysely } from 'kysely'
import { runAll } from './baseline/schema.ts'

/** Since when the customer waits for an answer: their first message after our last one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('conversation').addColumn('waiting_since', 'text').execute()
  await runAll(db, [
    `update conversation set waiting_since = coalesce(
       (select min(heard.at) from message as heard
        where heard.conversation_id = conversation.id and heard.direction = 'in' and heard.type <> 'system'
          and heard.at > coalesce(
            (select answer.at from message as answer
             where answer.conversation_id = conversation.id and answer.direction = 'out'
             order by answer.at desc, answer.seq desc limit 1), '')),
       last_message_at)
     where archived = 0 and last_message_direction = 'in' and last_message_type <> 'system'`,
    `create index "conversation_waiting" on "conversation"
       ("org_id", "kind", "archived", "waiting_since", "id") where "waiting_since" is not null`,
  ])
}

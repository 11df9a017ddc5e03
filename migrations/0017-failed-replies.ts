import type { Kysely } from 'kysely'
import { isOnPostgres, runAll } from './baseline/schema.ts'

/** A message that failed never reached the customer, so it is no answer: a trigger marks its conversation for a rebuild. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, isOnPostgres(db) ? postgresTriggers : sqliteTriggers)
}

const mark = `insert into conversation_segment_due (conversation_id, org_id)
  values (new.conversation_id, new.org_id) on conflict do nothing`
const when = `new.author_kind = 'person' and (old.status = 'failed') <> (new.status = 'failed')`

const sqliteTriggers = [
  `create trigger conversation_segment_failed after update of status on message when ${when} begin ${mark}; end`,
]

const postgresTriggers = [
  `create function conversation_segment_failed() returns trigger language plpgsql as $$ begin
     ${mark}; return null;
   end $$`,
  `create trigger conversation_segment_failed after update of status on message for each row
     when (${when}) execute function conversation_segment_failed()`,
]

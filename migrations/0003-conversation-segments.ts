import type { Kysely } from 'kysely'
import { isOnPostgres, ofOrganization, runAll } from './baseline/schema.ts'

/**
 * Segments of conversations, which statistics count, and how far messages have been read into them. A message that moves to
 * another conversation or to another time makes the segments of both conversations invalid: triggers delete them, and the
 * conversations wait in `conversation_segment_due`. Deleting a message only marks: what was counted of old messages stays.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('conversation_segment')
    // Id of the customer's message that begins it.
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    // Null: the contact was erased. The count stays, without them.
    .addColumn('conversation_id', 'text', c => c.references('conversation.id').onDelete('set null'))
    .addColumn('connection_id', 'text', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('started_at', 'text', c => c.notNull())
    .addColumn('start_seq', 'integer', c => c.notNull())
    .addColumn('last_at', 'text', c => c.notNull())
    .addColumn('resolved_at', 'text')
    .addColumn('is_last', 'integer', c => c.notNull())
    .addColumn('owner_id', 'text')
    .addColumn('team_id', 'text')
    .addColumn('origin', 'text', c => c.notNull())
    .addColumn('has_bot', 'integer', c => c.notNull())
    .addColumn('handed_at', 'text')
    .addColumn('first_reply_at', 'text')
    .addColumn('first_reply_by', 'text')
    .addColumn('waiting_since', 'text')
    .addColumn('waits', 'text', c => c.notNull())
    .addColumn('messages_in', 'integer', c => c.notNull())
    .addColumn('messages_out', 'integer', c => c.notNull())
    // Who had the conversation when it began, and when a bulk send was the last thing said before.
    .addColumn('seed_owner_id', 'text')
    .addColumn('seed_team_id', 'text')
    .addColumn('seed_bulk_at', 'text')
    .execute()
  await db.schema
    .createTable('conversation_segment_place')
    .addColumn('conversation_id', 'text', c => c.primaryKey().references('conversation.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('seq', 'integer', c => c.notNull())
    .addColumn('owner_id', 'text')
    .addColumn('team_id', 'text')
    .addColumn('bulk_at', 'text')
    .execute()
  await db.schema
    .createTable('conversation_segment_due')
    .addColumn('conversation_id', 'text', c => c.primaryKey().references('conversation.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    .execute()
  await db.schema
    .createTable('conversation_segment_read')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('seq', 'integer', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index conversation_segment_time on conversation_segment (org_id, started_at, id)`,
    `create index conversation_segment_of on conversation_segment (conversation_id, started_at, start_seq)`,
    `create index conversation_segment_waiting on conversation_segment (org_id, waiting_since)
       where is_last = 1 and resolved_at is null and waiting_since is not null`,
    `create index conversation_segment_place_org on conversation_segment_place (org_id)`,
    `create index conversation_segment_due_org on conversation_segment_due (org_id)`,
    `insert into conversation_segment_read (name, seq) values ('message', 0)`,
    ...(isOnPostgres(db) ? postgresTriggers : sqliteTriggers),
  ])
}

/** `row`: the message as it was or as it is; nothing is marked for a conversation that is being deleted. */
const mark = (row: 'old' | 'new') =>
  `insert into conversation_segment_due (conversation_id, org_id)
     select id, org_id from conversation where id = ${row}.conversation_id on conflict do nothing`
const forget = `delete from conversation_segment where conversation_id = old.conversation_id;
     delete from conversation_segment_place where conversation_id = old.conversation_id`
const hasMoved = (differs: string) => `new.conversation_id ${differs} old.conversation_id or new.at ${differs} old.at`

const sqliteTriggers = [
  `create trigger conversation_segment_moved after update of conversation_id, at on message
     when ${hasMoved('is not')} begin ${forget}; ${mark('old')}; ${mark('new')}; end`,
  `create trigger conversation_segment_deleted after delete on message begin ${mark('old')}; end`,
]

const postgresTriggers = [
  `create function conversation_segment_moved() returns trigger language plpgsql as $$ begin
     ${forget}; ${mark('old')}; ${mark('new')}; return null;
   end $$`,
  `create trigger conversation_segment_moved after update of conversation_id, at on message for each row
     when (${hasMoved('is distinct from')}) execute function conversation_segment_moved()`,
  `create function conversation_segment_deleted() returns trigger language plpgsql as $$ begin
     ${mark('old')}; return null;
   end $$`,
  `create trigger conversation_segment_deleted after delete on message for each row
     execute function conversation_segment_deleted()`,
]

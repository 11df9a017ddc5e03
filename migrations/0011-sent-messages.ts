import { type Kysely, sql } from 'kysely'
import { isOnPostgres, ofOrganization, runAll } from './baseline/schema.ts'

/**
 * What became of each message that Meta may bill, and its sums by day. The sums stay when messages are deleted for their
 * age or a contact is erased. How Meta bills a message is kept from here on; for older ones it is unknown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('message').addColumn('pricing', 'text').execute()
  const key = (table: 'sent_message' | 'sent_day') =>
    db.schema
      .createTable(table)
      .addColumn('org_id', 'text', ofOrganization)
      // On the organization's clock when the message was counted.
      .addColumn('day', 'text', c => c.notNull())
      .addColumn('connection_id', 'text', c => c.notNull())
      // ISO 3166-1 alpha-2; `??`: unknown.
      .addColumn('country', 'text', c => c.notNull())
      .addColumn('category', 'text', c => c.notNull())
      .addColumn('charge', 'text', c => c.notNull())
      .addColumn('source', 'text', c => c.notNull())
      // Its name; empty: a reply.
      .addColumn('template', 'text', c => c.notNull())
  await key('sent_message')
    .addColumn('message_id', 'text', c => c.primaryKey())
    // Null: the contact was erased.
    .addColumn('conversation_id', 'text', c => c.references('conversation.id').onDelete('set null'))
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('replied', 'integer', c => c.notNull())
    .addColumn('opted_out', 'integer', c => c.notNull())
    .execute()
  const count = sql`0`
  await key('sent_day')
    .addColumn('sent', 'integer', c => c.notNull().defaultTo(count))
    .addColumn('delivered', 'integer', c => c.notNull().defaultTo(count))
    .addColumn('read', 'integer', c => c.notNull().defaultTo(count))
    .addColumn('failed', 'integer', c => c.notNull().defaultTo(count))
    .addColumn('replied', 'integer', c => c.notNull().defaultTo(count))
    .addColumn('opted_out', 'integer', c => c.notNull().defaultTo(count))
    .addPrimaryKeyConstraint('sent_day_key', [
      'org_id',
      'day',
      'connection_id',
      'country',
      'category',
      'charge',
      'source',
      'template',
    ])
    .execute()
  // Messages whose status changed after they were counted.
  await db.schema
    .createTable('sent_message_due')
    .addColumn('message_id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('opted_out', 'integer', c => c.notNull())
    .execute()
  await db.schema
    .createTable('sent_message_read')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('seq', 'integer', c => c.notNull())
    .execute()
  // Replies that Meta bills, by number and month, and the part of the free ones that people were notified of, in percent.
  await db.schema
    .createTable('reply_month')
    .addColumn('connection_id', 'text', c => c.notNull())
    .addColumn('month', 'text', c => c.notNull())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('count', 'integer', c => c.notNull())
    .addColumn('notified', 'integer', c => c.notNull().defaultTo(count))
    .addPrimaryKeyConstraint('reply_month_key', ['connection_id', 'month'])
    .execute()
  await runAll(db, [
    `create index sent_message_template on sent_message (org_id, template, at, message_id) where template <> ''`,
    `create index sent_message_time on sent_message (org_id, at, message_id)`,
    `create index sent_message_conversation on sent_message (conversation_id, at)`,
    `create index sent_message_due_org on sent_message_due (org_id)`,
    `create index reply_month_org on reply_month (org_id, month)`,
    `insert into sent_message_read (name, seq) values ('message', 0)`,
    ...(isOnPostgres(db) ? postgresTrigger : [sqliteTrigger]),
  ])
}

/** When contacts are merged their messages move before a conversation is deleted. */
const moveAlong = `update sent_message set conversation_id = new.conversation_id where message_id = new.id`

const sqliteTrigger = `create trigger sent_message_moved after update of conversation_id on message
  when new.conversation_id is not old.conversation_id begin ${moveAlong}; end`

const postgresTrigger = [
  `create function sent_message_moved() returns trigger language plpgsql as $$ begin ${moveAlong}; return null; end $$`,
  `create trigger sent_message_moved after update of conversation_id on message for each row
     when (new.conversation_id is distinct from old.conversation_id) execute function sent_message_moved()`,
]

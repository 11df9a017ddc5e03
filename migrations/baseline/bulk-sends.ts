import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './schema.ts'

/** Bulk sends. */
export async function createBulkSends(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bulk_send')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('connection_id', 'text', c => c.notNull())
    .addColumn('template_id', 'text', c => c.notNull())
    .addColumn('template', 'text', c => c.notNull())
    .addColumn('request', 'text')
    .addColumn('audience', 'text', c => c.notNull())
    .addColumn('start_if_planned', 'integer')
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('creator_id', 'text', c => c.notNull())
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('started_at', 'text')
    .addColumn('ended_at', 'text')
    .addColumn('announced_at', 'text')
    .addColumn('planned', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('queued', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('sent', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('delivered', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('read', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('replied', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('failed', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('omitted', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('starts_at', 'text')
    // JSON of its limits.
    .addColumn('care', 'text')
    .addColumn('waits_until', 'text')
    .addColumn('judged_from', 'text')
    .addColumn('opted_out', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('is_test', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('held_for', 'text')
    .addColumn('held_until', 'text')
    // Its estimated cost; null: no prices were entered.
    .addColumn('cost', 'text')
    // JSON of what it was made of, for whoever repeats it; null: a test.
    .addColumn('recipe', 'text')
    .addColumn('people_tags', 'text')
    .addColumn('is_shared', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await runAll(db, [
    `create index "bulk_send_newest" on "bulk_send" ("org_id", "id" desc)`,
    `create index "bulk_send_state" on "bulk_send" ("connection_id", "state")`,
    `create index "bulk_send_counted" on "bulk_send" ("org_id", "is_test", "state", "creator_id")`,
    `create index "bulk_send_own" on "bulk_send" ("org_id", "creator_id", "is_test", "state", "id")`,
    `create index "bulk_send_shared" on "bulk_send" ("org_id", "is_shared", "state", "id", "creator_id")`,
  ])

  // The long texts a bulk send is requested with, in pieces: one value of megabytes would block other writers.
  await db.schema
    .createTable('bulk_send_text')
    .addColumn('send_id', 'text', c => c.notNull().references('bulk_send.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('part', 'text', c => c.notNull())
    .addColumn('place', 'integer', c => c.notNull())
    .addColumn('text', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('bulk_send_text_place', ['send_id', 'part', 'place'])
    .execute()
  await runAll(db, [`create index "bulk_send_text_org" on "bulk_send_text" ("org_id")`])

  await db.schema
    .createTable('bulk_recipient')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('send_id', 'text', c => c.notNull().references('bulk_send.id').onDelete('cascade'))
    .addColumn('place', 'integer', c => c.notNull())
    .addColumn('given', 'text', c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('template_values', 'text')
    .addColumn('conversation_id', 'text')
    .addColumn('handed_at', 'text')
    .addColumn('changed_at', 'text')
    .addColumn('marketing_at', 'text')
    .addColumn('opted_out_at', 'text')
    // Waits until then for the recipient's own daytime; null: does not wait.
    .addColumn('waits_until', 'text')
    .addUniqueConstraint('bulk_recipient_place', ['send_id', 'place'])
    .execute()
  await runAll(db, [
    `create index "bulk_recipient_org" on "bulk_recipient" ("org_id")`,
    `create index "bulk_recipient_state" on "bulk_recipient" ("send_id", "state", "place")`,
    // Which send a customer's message answers.
    `create index "bulk_recipient_conversation" on "bulk_recipient" ("conversation_id", "handed_at")
    where "conversation_id" is not null`,
    // How much marketing somebody got lately.
    `create index "bulk_recipient_marketing" on "bulk_recipient" ("conversation_id", "marketing_at")
    where "marketing_at" is not null`,
    `create index "bulk_recipient_reason" on "bulk_recipient" ("send_id", "state", "reason", "place")
    where "reason" is not null`,
  ])

  // Bulk sends in preparation.
  await db.schema
    .createTable('bulk_draft')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('creator_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('saver_name', 'text', c => c.notNull())
    .addColumn('revision', 'integer', c => c.notNull())
    .addColumn('summary', 'text', c => c.notNull())
    .addColumn('steps', 'text', c => c.notNull())
    .addColumn('people', 'text', c => c.notNull())
    .addColumn('saved_at', 'text', c => c.notNull())
    .execute()
  await runAll(db, [`create index "bulk_draft_saved" on "bulk_draft" ("org_id", "saved_at", "id")`])

  // Saved audiences; their members are computed at each use.
  await db.schema
    .createTable('audience_segment')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('label', 'text', c => c.notNull())
    .addColumn('filter', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await runAll(db, [`create index "audience_segment_org" on "audience_segment" ("org_id", "id")`])

  // Sends and notes that can be repeated.
  await db.schema
    .createTable('history_entry')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('is_send', 'integer', c => c.notNull())
    .addColumn('title', 'text', c => c.notNull())
    .addColumn('summary', 'text', c => c.notNull())
    .addColumn('search_text', 'text', c => c.notNull())
    .addColumn('payload', 'text', c => c.notNull())
    .addColumn('client_key', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('hidden_at', 'text')
    .execute()
  await runAll(db, [
    `create index "history_entry_list" on "history_entry" ("org_id", "kind", "id") where "hidden_at" is null`,
    `create index "history_entry_key" on "history_entry" ("org_id", "author_id", "client_key") where "client_key" is not null`,
  ])
}

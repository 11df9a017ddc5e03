import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './schema.ts'

/** Conversations and what people do around them. */
export async function createConversations(db: Kysely<unknown>): Promise<void> {
  // One row per contact and number. What the list of conversations shows is kept here, never counted.
  await db.schema
    .createTable('conversation')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('contact_id', 'text', c => c.notNull().references('contact.id').onDelete('cascade'))
    .addColumn('connection_id', 'text', c => c.notNull())
    // cloud: a real number's; sandbox: the simulator's.
    .addColumn('kind', 'text', c => c.notNull().defaultTo('cloud'))
    .addColumn('control', 'text', c => c.notNull())
    .addColumn('assignee_id', 'text')
    .addColumn('archived', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('unread', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('window_closes_at', 'text')
    .addColumn('last_activity_at', 'text', c => c.notNull())
    .addColumn('last_message_seq', 'integer')
    .addColumn('last_message_at', 'text')
    .addColumn('last_message_text', 'text')
    .addColumn('last_message_type', 'text')
    .addColumn('last_message_direction', 'text')
    .addColumn('last_message_status', 'text')
    .addColumn('last_inbound_wamid', 'text')
    .addColumn('last_human_event_at', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    // No reference: removing a team would rewrite its conversations in one statement; a job does it in batches.
    .addColumn('team_id', 'text')
    // Who had the conversation when it was archived: taking that back restores it.
    .addColumn('control_before_archive', 'text')
    // Until then Meta charges nothing, because the customer came by an advertisement.
    .addColumn('free_until', 'text')
    // Who answers a conversation that is assigned to nobody.
    .addColumn('taken_by', 'text')
    .addUniqueConstraint('conversation_once', ['contact_id', 'connection_id'])
    .execute()
  await runAll(db, [
    `create index "conversation_number" on "conversation" ("connection_id", "archived", "last_activity_at" desc, "id" desc)`,
    `create index "conversation_team" on "conversation" ("org_id", "team_id") where "team_id" is not null`,
    `create index "conversation_unread" on "conversation"
      ("org_id", "kind", "archived", "last_activity_at" desc, "id" desc) where "unread" > 0`,
    `create index "conversation_needed" on "conversation"
      ("org_id", "kind", "archived", "last_activity_at" desc, "id" desc) where "control" = 'needsHuman'`,
    `create index "conversation_failed" on "conversation"
      ("org_id", "kind", "archived", "last_activity_at" desc, "id" desc) where "last_message_status" = 'failed'`,
    `create index "conversation_assignee" on "conversation"
    ("org_id", "assignee_id", "kind", "archived", "last_activity_at" desc, "id" desc)`,
    `create index "conversation_closing" on "conversation"
    ("org_id", "kind", "archived", "window_closes_at", "id") where "window_closes_at" is not null`,
    // Ends with the contact, so that a search by tags or names reads no row for it.
    `create index conversation_list on conversation (org_id, kind, archived, last_activity_at desc, id desc, contact_id)`,
    `create index "conversation_meta_agent" on "conversation"
    ("org_id", "kind", "archived", "last_activity_at" desc, "id" desc) where "control" = 'metaAgent'`,
  ])

  await db.schema
    .createTable('conversation_mute')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('conversation_id', 'text', c => c.notNull().references('conversation.id').onDelete('cascade'))
    .addColumn('created_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('conversation_mute_pk', ['org_id', 'user_id', 'conversation_id'])
    .execute()
  await runAll(db, [
    `create index "conversation_mute_user" on "conversation_mute" ("user_id")`,
    `create index "conversation_mute_conversation" on "conversation_mute" ("conversation_id")`,
  ])

  // Who has a conversation open, and who writes in it. Rows, so that every process knows.
  await db.schema
    .createTable('chat_presence')
    .addColumn('conversation_id', 'text', c => c.notNull().references('conversation.id').onDelete('cascade'))
    .addColumn('person_id', 'text', c => c.notNull())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('looks_until', 'text', c => c.notNull())
    .addColumn('writes_until', 'text')
    .addPrimaryKeyConstraint('chat_presence_pk', ['conversation_id', 'person_id'])
    .execute()
  await runAll(db, [`create index "chat_presence_age" on "chat_presence" ("looks_until")`])

  // What a person is writing in a conversation and has not sent.
  await db.schema
    .createTable('chat_draft')
    .addColumn('conversation_id', 'text', c => c.notNull().references('conversation.id').onDelete('cascade'))
    .addColumn('person_id', 'text', c => c.notNull())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('text', 'text', c => c.notNull())
    .addColumn('saved_at', 'text', c => c.notNull())
    .addColumn('reply_to', 'text')
    .addPrimaryKeyConstraint('chat_draft_pk', ['conversation_id', 'person_id'])
    .execute()
  await runAll(db, [
    `create index "chat_draft_person" on "chat_draft" ("org_id", "person_id")`,
    `create index "chat_draft_newest" on "chat_draft" ("org_id", "saved_at")`,
    `create index "chat_draft_age" on "chat_draft" ("saved_at")`,
  ])

  // Messages that people write now and that are sent later.
  await db.schema
    .createTable('scheduled_message')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('conversation_id', 'text', c => c.notNull().references('conversation.id').onDelete('cascade'))
    .addColumn('author_kind', 'text', c => c.notNull())
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('text', 'text', c => c.notNull())
    .addColumn('due_at', 'text', c => c.notNull())
    .addColumn('ends_on_reply', 'integer', c => c.notNull())
    .addColumn('held_code', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "scheduled_message_chat" on "scheduled_message" ("conversation_id", "due_at")`,
    `create index "scheduled_message_author" on "scheduled_message" ("org_id", "author_id")`,
    `create index scheduled_message_unless_answered on scheduled_message (conversation_id)
    where ends_on_reply = 1`,
  ])

  // Saved filters of the list of conversations, shared or one person's.
  await db.schema
    .createTable('saved_view')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('shared', 'integer', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('filter', 'text', c => c.notNull())
    .execute()
  await runAll(db, [`create index "saved_view_had" on "saved_view" ("org_id", "shared", "author_id")`])

  await db.schema
    .createTable('ready_answer')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('shared', 'integer', c => c.notNull())
    .addColumn('shortcut', 'text', c => c.notNull())
    .addColumn('title', 'text', c => c.notNull())
    .addColumn('text', 'text', c => c.notNull())
    .execute()
  await runAll(db, [`create index "ready_answer_had" on "ready_answer" ("org_id", "shared", "author_id")`])

  await db.schema
    .createTable('ready_answer_file')
    .addColumn('answer_id', 'text', c => c.primaryKey().references('ready_answer.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('id', 'text', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('mime', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('size', 'integer', c => c.notNull())
    .addColumn('sha256', 'text', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('brought_by', 'text')
    .execute()
  await runAll(db, [
    `create index "ready_answer_file_org" on "ready_answer_file" ("org_id", "id")`,
    `create index ready_answer_file_brought on ready_answer_file (brought_by) where brought_by is not null`,
  ])

  // How new conversations are assigned. team_id '': the rule of the whole organization.
  await db.schema
    .createTable('assignment_rule')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('team_id', 'text', c => c.notNull())
    .addColumn('way', 'text', c => c.notNull())
    .addColumn('most', 'integer')
    .addColumn('to_last', 'integer', c => c.notNull())
    .addColumn('last_user_id', 'text')
    .addPrimaryKeyConstraint('assignment_rule_pk', ['org_id', 'team_id'])
    .execute()

  await db.schema
    .createTable('availability')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('changed_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('availability_pk', ['org_id', 'user_id'])
    .execute()
  await runAll(db, [`create index "availability_user" on "availability" ("user_id")`])
}

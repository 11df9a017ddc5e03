import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './schema.ts'

/** Flows, their sessions, tests and replays. */
export async function createFlows(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('flow')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('position', 'integer', c => c.notNull())
    .addColumn('is_enabled', 'integer', c => c.notNull())
    // JSON of the draft.
    .addColumn('graph', 'text', c => c.notNull())
    .addColumn('triggers', 'text', c => c.notNull())
    .addColumn('revision', 'integer', c => c.notNull())
    // The revision published last; null: never.
    .addColumn('published_revision', 'integer')
    .addColumn('version', 'integer')
    .addColumn('edited_at', 'text', c => c.notNull())
    .addColumn('editor_id', 'text', c => c.notNull())
    .addColumn('editor_name', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    // Hidden; what happened in it is kept until it is old.
    .addColumn('deleted_at', 'text')
    // When its live version last exceeded the cost limit of one message, since it was published.
    .addColumn('limited_at', 'text')
    .execute()
  await runAll(db, [`create index "flow_order" on "flow" ("org_id", "position", "id")`])

  await db.schema
    .createTable('flow_version')
    .addColumn('flow_id', 'text', c => c.notNull().references('flow.id').onDelete('cascade'))
    .addColumn('version', 'integer', c => c.notNull())
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('graph', 'text', c => c.notNull())
    .addColumn('triggers', 'text', c => c.notNull())
    .addColumn('note', 'text')
    .addColumn('published_at', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('flow_version_key', ['flow_id', 'version'])
    .execute()

  // One contact's way through a flow. No foreign keys: contacts and conversations are merged.
  await db.schema
    .createTable('flow_session')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('flow_id', 'text', c => c.notNull())
    .addColumn('version', 'integer', c => c.notNull())
    .addColumn('contact_id', 'text', c => c.notNull())
    .addColumn('conversation_id', 'text', c => c.notNull())
    .addColumn('trigger', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    // Why it ended so, as a code.
    .addColumn('reason', 'text')
    // JSON of node, variables and tries.
    .addColumn('place', 'text', c => c.notNull())
    .addColumn('steps', 'integer', c => c.notNull())
    // When it continues by itself; null: it does not.
    .addColumn('wakes_at', 'text')
    .addColumn('started_at', 'text', c => c.notNull())
    .addColumn('moved_at', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    // Null: no test.
    .addColumn('test_id', 'text')
    // The name a program gave its call; null: not begun by a program, or unnamed.
    .addColumn('client_key', 'text')
    .execute()
  await runAll(db, [
    `create unique index "flow_session_live" on "flow_session" ("org_id", "contact_id") where "ended_at" is null`,
    `create index "flow_session_contact" on "flow_session" ("org_id", "contact_id", "started_at")`,
    `create index "flow_session_flow" on "flow_session" ("org_id", "flow_id", "id")`,
    `create index "flow_session_of_flow_live" on "flow_session" ("org_id", "flow_id", "id") where "ended_at" is null`,
    `create index "flow_session_old" on "flow_session" ("ended_at")`,
    `create index "flow_session_test" on "flow_session" ("test_id") where "test_id" is not null`,
    `create unique index "flow_session_client_key" on "flow_session" ("flow_id", "client_key") where "client_key" is not null`,
    `create index "flow_session_trigger" on "flow_session" ("org_id", "flow_id", "trigger", "id")`,
  ])

  await db.schema
    .createTable('flow_step')
    .addColumn('session_id', 'text', c => c.notNull().references('flow_session.id').onDelete('cascade'))
    .addColumn('place', 'integer', c => c.notNull())
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('node_id', 'text', c => c.notNull())
    .addColumn('at', 'text', c => c.notNull())
    // What came in; null: nothing.
    .addColumn('input', 'text')
    // Where it went on; null: it stayed, or nothing follows.
    .addColumn('output', 'text')
    .addColumn('why', 'text')
    // JSON of variables that changed, with their values before.
    .addColumn('changes', 'text')
    .addColumn('message_id', 'text')
    // JSON of status, time and tries; null: no call to another service.
    .addColumn('call', 'text')
    .addPrimaryKeyConstraint('flow_step_key', ['session_id', 'place'])
    .execute()
  await runAll(db, [`create index "flow_step_message" on "flow_step" ("message_id")`])

  // How many sessions began and ended on a day.
  await db.schema
    .createTable('flow_day')
    .addColumn('flow_id', 'text', c => c.notNull().references('flow.id').onDelete('cascade'))
    .addColumn('day', 'text', c => c.notNull())
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('started', 'integer', c => c.notNull())
    .addColumn('finished', 'integer', c => c.notNull())
    .addColumn('handed_off', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('flow_day_key', ['flow_id', 'day'])
    .execute()

  // What flows call other services with, sealed.
  await db.schema
    .createTable('flow_secret')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('name', 'text', c => c.notNull())
    // The one host that may receive it.
    .addColumn('host', 'text', c => c.notNull())
    .addColumn('sealed', 'text', c => c.notNull())
    .addColumn('changed_at', 'text', c => c.notNull())
    .addColumn('changed_by', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('flow_secret_key', ['org_id', 'name'])
    .execute()

  // The address of a flow that other programs call.
  await db.schema
    .createTable('flow_hook')
    .addColumn('flow_id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    // SHA-256 of the secret in the address: calls are found by it. `sealed` shows it again.
    .addColumn('secret_hash', 'text', c => c.notNull())
    .addColumn('sealed', 'text', c => c.notNull())
    .addColumn('changed_at', 'text', c => c.notNull())
    .addColumn('changed_by', 'text', c => c.notNull())
    .addColumn('calls', 'integer', c => c.notNull().defaultTo(0))
    // `calls` counts those of the minute that ends then.
    .addColumn('minute_ends_at', 'text')
    .addColumn('called_at', 'text')
    .execute()
  await runAll(db, [
    `create unique index "flow_hook_secret" on "flow_hook" ("secret_hash")`,
    `create index "flow_hook_org" on "flow_hook" ("org_id")`,
  ])

  // What holds for all flows of an organization; no row: the defaults.
  await db.schema
    .createTable('flow_settings')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    // JSON lists of words.
    .addColumn('restart_words', 'text', c => c.notNull())
    .addColumn('leave_words', 'text', c => c.notNull())
    .addColumn('person_words', 'text', c => c.notNull())
    // 0: a month.
    .addColumn('expires_after_hours', 'integer', c => c.notNull())
    .addColumn('expired_text', 'text')
    .addColumn('closed_text', 'text')
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()

  // Who has a flow's editor open, and who edits it.
  await db.schema
    .createTable('flow_presence')
    .addColumn('flow_id', 'text', c => c.notNull().references('flow.id').onDelete('cascade'))
    .addColumn('person_id', 'text', c => c.notNull())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('looks_until', 'text', c => c.notNull())
    .addColumn('writes_until', 'text')
    .addPrimaryKeyConstraint('flow_presence_pk', ['flow_id', 'person_id'])
    .execute()
  await runAll(db, [`create index "flow_presence_age" on "flow_presence" ("looks_until")`])

  // A draft that its author tries on a phone: the graph as it was, and the word that starts it.
  await db.schema
    .createTable('flow_test')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('flow_id', 'text', c => c.notNull())
    .addColumn('code', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('graph', 'text', c => c.notNull())
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('ends_at', 'text', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "flow_test_code" on "flow_test" ("org_id", "code")`,
    `create index "flow_test_author" on "flow_test" ("org_id", "flow_id", "author_id")`,
    `create index "flow_test_old" on "flow_test" ("created_at")`,
  ])

  // A draft played with what customers once said.
  await db.schema
    .createTable('flow_replay')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('flow_id', 'text', c => c.notNull())
    .addColumn('graph', 'text', c => c.notNull())
    .addColumn('since', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('total', 'integer', c => c.notNull())
    .addColumn('done', 'integer', c => c.notNull())
    // The session that was played last; '': none.
    .addColumn('after', 'text', c => c.notNull())
    .addColumn('started_at', 'text', c => c.notNull())
    .addColumn('started_by', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    // Null: sessions of all triggers.
    .addColumn('trigger', 'text')
    .execute()
  await runAll(db, [
    `create index "flow_replay_flow" on "flow_replay" ("org_id", "flow_id", "id")`,
    `create index "flow_replay_old" on "flow_replay" ("started_at")`,
  ])

  await db.schema
    .createTable('flow_replayed')
    .addColumn('replay_id', 'text', c => c.notNull().references('flow_replay.id').onDelete('cascade'))
    .addColumn('place', 'integer', c => c.notNull())
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('session_id', 'text', c => c.notNull())
    .addColumn('conversation_id', 'text', c => c.notNull())
    .addColumn('verdict', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('flow_replayed_key', ['replay_id', 'place'])
    .execute()
}

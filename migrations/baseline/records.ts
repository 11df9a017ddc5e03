import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './schema.ts'

/** Notifications, push, audit entries, backups, and counters of what an organization keeps. */
export async function createRecords(db: Kysely<unknown>): Promise<void> {
  // `words`: key and parameters of the text. Rows without them keep the text they were written with.
  await db.schema
    .createTable('notification')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('redirect', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('viewed_at', 'text')
    .addColumn('words', 'text')
    .addColumn('conversation_id', 'text')
    .addColumn('count', 'integer', c => c.notNull().defaultTo(1))
    // Orders the list; changes when a notification is repeated.
    .addColumn('place', 'text', c => c.notNull().defaultTo(''))
    .addColumn('old_title', 'text')
    .addColumn('old_message', 'text')
    .execute()
  await runAll(db, [
    `create index "notification_age" on "notification" ("created_at")`,
    `create index "notification_list" on "notification" ("org_id", "user_id", "place")`,
    `create index "notification_unread" on "notification" ("org_id", "user_id", "place") where "viewed_at" is null`,
    `create unique index "notification_conversation" on "notification" ("org_id", "conversation_id", "user_id") where viewed_at is null and conversation_id is not null`,
  ])

  await db.schema
    .createTable('notification_setting')
    .addColumn('user_id', 'text', c => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('toast', 'integer', c => c.notNull())
    .addColumn('sound', 'integer', c => c.notNull())
    .addColumn('desktop', 'integer', c => c.notNull())
    .addColumn('push', 'integer', c => c.notNull())
    .addColumn('quiet_from', 'text')
    .addColumn('quiet_to', 'text')
    .addColumn('quiet_zone', 'text')
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()

  await db.schema
    .createTable('notification_mute')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('created_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('notification_mute_pk', ['org_id', 'user_id'])
    .execute()
  await runAll(db, [`create index "notification_mute_user" on "notification_mute" ("user_id")`])

  await db.schema
    .createTable('push_key')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('public_key', 'text', c => c.notNull())
    .addColumn('private_key', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()

  await db.schema
    .createTable('push_subscription')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('session_id', 'text', c => c.notNull().references('session.id').onDelete('cascade'))
    .addColumn('endpoint', 'text', c => c.notNull().unique())
    .addColumn('p256dh', 'text', c => c.notNull())
    .addColumn('auth', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    // The language of the browser that subscribed.
    .addColumn('language', 'text', c => c.notNull().defaultTo('es'))
    .execute()
  await runAll(db, [
    `create index "push_subscription_user" on "push_subscription" ("user_id", "id")`,
    `create index "push_subscription_session" on "push_subscription" ("session_id")`,
  ])

  // What people changed in an organization. No reference to the person: the entry outlives them.
  await db.schema
    .createTable('audit_entry')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('action', 'text', c => c.notNull())
    .addColumn('actor_id', 'text', c => c.notNull())
    .addColumn('actor', 'text', c => c.notNull())
    .addColumn('address', 'text')
    .addColumn('device', 'text')
    .addColumn('subject', 'text')
    // JSON of the facts that differ; null: none.
    .addColumn('changes', 'text')
    // 0: begun, outcome unknown.
    .addColumn('is_done', 'integer', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "audit_entry_org" on "audit_entry" ("org_id", "id")`,
    `create index "audit_entry_kind" on "audit_entry" ("org_id", "kind", "id")`,
    `create index "audit_entry_actor" on "audit_entry" ("org_id", "actor_id", "id")`,
    `create index "audit_entry_at" on "audit_entry" ("at")`,
  ])

  // What administrators of the site changed.
  await db.schema
    .createTable('site_audit_entry')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('action', 'text', c => c.notNull())
    .addColumn('actor_id', 'text', c => c.notNull())
    .addColumn('actor', 'text', c => c.notNull())
    .addColumn('subject', 'text', c => c.notNull())
    .addColumn('address', 'text')
    .addColumn('device', 'text')
    .addColumn('changes', 'text')
    // 0: begun, outcome unknown.
    .addColumn('is_done', 'integer', c => c.notNull())
    .execute()
  await runAll(db, [`create index "site_audit_entry_at" on "site_audit_entry" ("at")`])

  // Each night's backup, and whether it was read back whole.
  await db.schema
    .createTable('snapshot')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('began_at', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    // Null: none was made, or it was deleted for newer ones.
    .addColumn('file', 'text')
    .addColumn('bytes', 'integer')
    .addColumn('row_count', 'integer')
    .addColumn('failure', 'text')
    .addColumn('said_at', 'text')
    .execute()
  await runAll(db, [`create index "snapshot_began" on "snapshot" ("began_at")`])

  // Bytes of files per organization, kept by the triggers in counters.ts.
  await db.schema
    .createTable('file_use')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('bytes', 'integer', c => c.notNull())
    .addColumn('noticed_percent', 'integer', c => c.notNull().defaultTo(0))
    .execute()

  // Contacts and notes per organization, kept by the triggers in counters.ts.
  await db.schema
    .createTable('row_use')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('contacts', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('notes', 'integer', c => c.notNull().defaultTo(0))
    .execute()
}

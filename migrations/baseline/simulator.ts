import type { Kysely } from 'kysely'
import { runAll } from './schema.ts'

/** The simulator of Meta's Graph API. Times are integers, milliseconds since 1970: its clock is moved by arithmetic. */
export async function createSimulator(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sandbox_number')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('phone_number_id', 'text', c => c.notNull().unique())
    .addColumn('waba_id', 'text', c => c.notNull().unique())
    .addColumn('app_id', 'text', c => c.notNull().unique())
    .addColumn('phone', 'text', c => c.notNull().unique())
    .addColumn('verified_name', 'text', c => c.notNull())
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('app_secret_sealed', 'text', c => c.notNull())
    .addColumn('connection_id', 'text')
    .addColumn('subscribed', 'integer', c => c.notNull())
    .addColumn('behaviour', 'text', c => c.notNull())
    // How far the clock was moved in all.
    .addColumn('aged_ms', 'integer', c => c.notNull())
    .addColumn('profile', 'text', c => c.notNull().defaultTo('{}'))
    .addColumn('signup_code_hash', 'text')
    .addColumn('signup_code_ms', 'integer')
    .execute()

  await db.schema
    .createTable('sandbox_customer')
    .addColumn('org_id', 'text', c => c.notNull().references('sandbox_number.org_id').onDelete('cascade'))
    .addColumn('wa_id', 'text', c => c.notNull())
    .addColumn('bsuid', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('username', 'text')
    .addColumn('online', 'integer', c => c.notNull())
    .addColumn('blocks_us', 'integer', c => c.notNull())
    .addColumn('blocked_by_us', 'integer', c => c.notNull())
    // Null: the simulator's setting.
    .addColumn('reads', 'integer')
    // When the customer wrote last.
    .addColumn('window_from_ms', 'integer')
    .addColumn('ad_at_ms', 'integer')
    .addColumn('entry_until_ms', 'integer')
    .addColumn('typing_until_ms', 'integer')
    .addColumn('seen_ms', 'integer', c => c.notNull())
    // 1: Meta's own agent has the conversation.
    .addColumn('with_agent', 'integer', c => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('sandbox_customer_pk', ['org_id', 'wa_id'])
    .addUniqueConstraint('sandbox_customer_bsuid', ['org_id', 'bsuid'])
    .execute()
  await runAll(db, [`create index "sandbox_customer_seen" on "sandbox_customer" ("org_id", "seen_ms")`])

  await db.schema
    .createTable('sandbox_message')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', c => c.notNull().references('sandbox_number.org_id').onDelete('cascade'))
    .addColumn('wamid', 'text', c => c.notNull().unique())
    .addColumn('direction', 'text', c => c.notNull())
    .addColumn('wa_id', 'text', c => c.notNull())
    .addColumn('recipient', 'text')
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('body', 'text', c => c.notNull())
    .addColumn('callback', 'text')
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('at_ms', 'integer', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "sandbox_message_list" on "sandbox_message" ("org_id", "direction", "seq")`,
    `create index "sandbox_message_customer" on "sandbox_message" ("org_id", "wa_id", "direction", "seq")`,
    `create index "sandbox_message_age" on "sandbox_message" ("at_ms")`,
  ])

  await db.schema
    .createTable('sandbox_media')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('sandbox_number.org_id').onDelete('cascade'))
    .addColumn('mime', 'text', c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('size', 'integer', c => c.notNull())
    .addColumn('sha256', 'text', c => c.notNull())
    .addColumn('expires_ms', 'integer', c => c.notNull())
    .addColumn('bytes', 'blob', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "sandbox_media_org" on "sandbox_media" ("org_id")`,
    `create index "sandbox_media_age" on "sandbox_media" ("expires_ms")`,
  ])

  await db.schema
    .createTable('sandbox_fault')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', c => c.notNull().references('sandbox_number.org_id').onDelete('cascade'))
    .addColumn('code', 'text', c => c.notNull())
    .addColumn('mode', 'text', c => c.notNull())
    .addColumn('remaining', 'integer', c => c.notNull())
    .execute()
  await runAll(db, [`create index "sandbox_fault_org" on "sandbox_fault" ("org_id", "seq")`])

  await db.schema
    .createTable('sandbox_template')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('sandbox_number.org_id').onDelete('cascade'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('category', 'text', c => c.notNull())
    .addColumn('previous_category', 'text')
    .addColumn('parameter_format', 'text', c => c.notNull())
    .addColumn('components', 'text', c => c.notNull())
    .addColumn('quality', 'text', c => c.notNull())
    .addColumn('rejected_reason', 'text', c => c.notNull())
    .addColumn('ttl_seconds', 'integer')
    .addColumn('pauses', 'integer', c => c.notNull())
    .addColumn('edits_ms', 'text', c => c.notNull())
    // When its review, or its pause, ends; null: nothing is coming.
    .addColumn('review_ms', 'integer')
    .addColumn('deleted_ms', 'integer')
    .addColumn('created_ms', 'integer', c => c.notNull())
    .execute()
  await runAll(db, [`create index "sandbox_template_org" on "sandbox_template" ("org_id", "name", "language")`])

  await db.schema
    .createTable('sandbox_upload')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('sandbox_number.org_id').onDelete('cascade'))
    .addColumn('mime', 'text', c => c.notNull())
    .addColumn('size', 'integer', c => c.notNull())
    .addColumn('handle', 'text')
    .addColumn('created_ms', 'integer', c => c.notNull())
    .addColumn('bytes', 'blob')
    .execute()
  await runAll(db, [`create index "sandbox_upload_handle" on "sandbox_upload" ("org_id", "handle")`])
}

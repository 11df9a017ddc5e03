import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './schema.ts'

/** Messages, their files, sending and the intake of webhooks. */
export async function createMessages(db: Kysely<unknown>): Promise<void> {
  // `seq` orders by arrival; `id` is what leaves the installation; `wamid` is Meta's id, null until it is known.
  await db.schema
    .createTable('message')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('id', 'text', c => c.notNull().unique())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('conversation_id', 'text', c => c.notNull().references('conversation.id').onDelete('cascade'))
    .addColumn('wamid', 'text')
    .addColumn('direction', 'text', c => c.notNull())
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('text', 'text', c => c.notNull())
    // JSON of the parts that only some kinds have.
    .addColumn('content', 'text')
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('sent_at', 'text')
    .addColumn('delivered_at', 'text')
    .addColumn('read_at', 'text')
    .addColumn('failed_at', 'text')
    .addColumn('error_code', 'text')
    .addColumn('error_detail', 'text')
    .addColumn('unconfirmed', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('reply_to_wamid', 'text')
    .addColumn('author_kind', 'text')
    .addColumn('author_id', 'text')
    .addColumn('author_name', 'text')
    .addColumn('client_key', 'text')
    .addColumn('edited_at', 'text')
    .addColumn('revoked_at', 'text')
    // JSON of what we send, where kind and text do not say it all.
    .addColumn('outbound', 'text')
    .execute()
  await runAll(db, [
    `create index "message_thread" on "message" ("conversation_id", "at" desc, "seq" desc)`,
    `create unique index "message_wamid" on "message" ("org_id", "wamid")`,
    `create unique index "message_client_key" on "message" ("org_id", "author_id", "client_key") where "client_key" is not null`,
    `create index "message_org" on "message" ("org_id", "seq" desc)`,
    `create index message_notes on message (conversation_id, at desc, seq desc) where type = 'note'`,
    `create index message_pictures on message (conversation_id, at desc, seq desc) where type in ('image', 'video')`,
    `create index message_documents on message (conversation_id, at desc, seq desc) where type = 'document'`,
    `create index message_audio on message (conversation_id, at desc, seq desc) where type in ('audio', 'voice')`,
    `create index message_links on message (conversation_id, at desc, seq desc) where text like '%http%://%'`,
    `create index message_kinds on message (org_id, type, seq desc) where type not in ('text', 'activity')`,
    `create index message_failed on message (org_id, seq desc) where status = 'failed'`,
    // For searches by kind among failed messages.
    `create index message_failed_kinds on message (org_id, type, seq desc) where status = 'failed'`,
    // Few among many messages: each kind is listed without reading the others.
    `create index message_activity on message (conversation_id, at desc, seq desc) where type = 'activity'`,
  ])

  await db.schema
    .createTable('reaction')
    .addColumn('message_id', 'text', c => c.notNull().references('message.id').onDelete('cascade'))
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('by', 'text', c => c.notNull())
    .addColumn('emoji', 'text', c => c.notNull())
    .addColumn('at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('reaction_pk', ['message_id', 'by'])
    .execute()

  await db.schema
    .createTable('media')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('message_id', 'text', c => c.notNull().unique().references('message.id').onDelete('cascade'))
    .addColumn('provider_id', 'text', c => c.notNull())
    .addColumn('mime', 'text', c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('size', 'integer')
    .addColumn('sha256', 'text')
    // pending, stored or failed.
    .addColumn('state', 'text', c => c.notNull())
    // Relative to DATA_DIR/media.
    .addColumn('path', 'text')
    .addColumn('error', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .execute()

  // Append-only: each attempt to send, and what came back.
  await db.schema
    .createTable('message_attempt')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('message_id', 'text', c => c.notNull().references('message.id').onDelete('cascade'))
    // `biz_opaque_callback_data` of the attempt.
    .addColumn('callback', 'text', c => c.notNull().unique())
    .addColumn('started_at', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('outcome', 'text')
    .addColumn('http_status', 'integer')
    .addColumn('error_code', 'text')
    .addColumn('error_detail', 'text')
    .addColumn('wamid', 'text')
    .execute()
  await runAll(db, [`create index "message_attempt_message" on "message_attempt" ("message_id")`])

  // Statuses and reactions that came before their message.
  await db.schema
    .createTable('pending_effect')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('wamid', 'text', c => c.notNull())
    .addColumn('effect', 'text', c => c.notNull())
    .addColumn('received_at', 'text', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "pending_effect_wamid" on "pending_effect" ("org_id", "wamid")`,
    `create index "pending_effect_age" on "pending_effect" ("received_at")`,
  ])

  await db.schema
    .createTable('idempotency')
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('caller', 'text', c => c.notNull())
    .addColumn('key', 'text', c => c.notNull())
    .addColumn('endpoint', 'text', c => c.notNull())
    .addColumn('request_hash', 'text', c => c.notNull())
    .addColumn('status', 'integer')
    .addColumn('body', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    // The process that handles the request.
    .addColumn('owner', 'text')
    .addPrimaryKeyConstraint('idempotency_pk', ['org_id', 'caller', 'key'])
    .execute()
  await runAll(db, [`create index "idempotency_age" on "idempotency" ("created_at")`])

  // Uploaded files that no message carries yet.
  await db.schema
    .createTable('received_file')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('size', 'integer')
    .addColumn('brought_by', 'text')
    .execute()
  await runAll(db, [
    `create index "received_file_age" on "received_file" ("created_at")`,
    `create index "received_file_org" on "received_file" ("org_id")`,
  ])

  // Meta's copy of a file, by its content: valid for thirty days and for one number.
  await db.schema
    .createTable('uploaded_file')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('connection_id', 'text', c => c.notNull())
    .addColumn('sha256', 'text', c => c.notNull())
    .addColumn('mime', 'text', c => c.notNull())
    .addColumn('provider_id', 'text', c => c.notNull())
    .addColumn('uploaded_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('uploaded_file_pk', ['org_id', 'connection_id', 'sha256', 'mime'])
    .execute()
  await runAll(db, [`create index "uploaded_file_age" on "uploaded_file" ("uploaded_at")`])

  // Webhooks as they came, stored before they are processed. state: 0 waiting, 1 applied, 2 parked, 3 unknown number.
  await db.schema
    .createTable('webhook_journal')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('connection_id', 'text')
    .addColumn('received_at', 'text', c => c.notNull())
    .addColumn('raw', 'blob', c => c.notNull())
    .addColumn('state', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('note', 'text')
    // Webhooks wait in lines that take turns.
    .addColumn('line', 'text', c => c.notNull().defaultTo(''))
    // About how many messages it brings.
    .addColumn('messages', 'integer', c => c.notNull().defaultTo(1))
    .execute()
  await runAll(db, [
    `create index "webhook_journal_parked" on "webhook_journal" ("state", "seq") where "state" > 1`,
    `create index "webhook_journal_waiting" on "webhook_journal" ("line", "seq", "messages") where "state" = 0`,
  ])

  // How far a large webhook is processed. Its own table: an update of the journal's row would write its megabytes again.
  await db.schema
    .createTable('webhook_place')
    .addColumn('seq', 'integer', c => c.primaryKey().references('webhook_journal.seq').onDelete('cascade'))
    .addColumn('place', 'integer', c => c.notNull())
    .execute()

  // Parts of webhooks that no feature handles, kept for a version that does.
  await db.schema
    .createTable('untaken_item')
    .addColumn('seq', 'integer', c => c.notNull())
    .addColumn('place', 'integer', c => c.notNull())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('item', 'text', c => c.notNull())
    .addColumn('at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('untaken_item_pk', ['seq', 'place'])
    .execute()
  await runAll(db, [`create index "untaken_item_name" on "untaken_item" ("org_id", "name", "seq")`])
}

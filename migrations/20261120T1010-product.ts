import { type Kysely, sql } from 'kysely'

/** Times are ISO 8601 UTC text, flags 0/1, documents JSON text. `seq` orders by arrival; `id` is what leaves the house. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await numbers(db)
  await contacts(db)
  await messages(db)
  await sending(db)
  await intake(db)
  await live(db)
}

// biome-ignore lint/suspicious/noExplicitAny: as above
type Db = Kysely<any>

async function numbers(db: Db) {
  await db.schema
    .createTable('wa_connection')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().unique().references('organization.id').onDelete('cascade'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('phone_number_id', 'text', c => c.notNull().unique())
    .addColumn('waba_id', 'text', c => c.notNull())
    .addColumn('phone', 'text', c => c.notNull())
    .addColumn('verified_name', 'text')
    .addColumn('access_token_sealed', 'text', c => c.notNull())
    .addColumn('app_secret_sealed', 'text', c => c.notNull())
    .addColumn('verify_token_sealed', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull().defaultTo('connected'))
    .addColumn('status_reason', 'text')
    .addColumn('last_webhook_at', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('wa_connection_waba').on('wa_connection').column('waba_id').execute()
}

async function contacts(db: Db) {
  await db.schema
    .createTable('contact')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('name', 'text')
    .addColumn('profile_name', 'text')
    .addColumn('username', 'text')
    .addColumn('wa_id', 'text')
    .addColumn('bsuid', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('contact_org').on('contact').columns(['org_id', 'created_at']).execute()

  // kind: phone | bsuid | username. match_key folds the spellings of a number; value is the spelling that was seen.
  await db.schema
    .createTable('contact_identity')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('match_key', 'text', c => c.notNull())
    .addColumn('value', 'text', c => c.notNull())
    .addColumn('contact_id', 'text', c => c.notNull().references('contact.id').onDelete('cascade'))
    .addColumn('seen_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('contact_identity_pk', ['org_id', 'kind', 'match_key'])
    .execute()
  await db.schema.createIndex('contact_identity_contact').on('contact_identity').column('contact_id').execute()

  await db.schema
    .createTable('tag')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('label', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .addUniqueConstraint('tag_label', ['org_id', 'label'])
    .execute()
  await db.schema
    .createTable('contact_tag')
    .addColumn('contact_id', 'text', c => c.notNull().references('contact.id').onDelete('cascade'))
    .addColumn('tag_id', 'text', c => c.notNull().references('tag.id').onDelete('cascade'))
    .addColumn('org_id', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('contact_tag_pk', ['contact_id', 'tag_id'])
    .execute()
  await db.schema.createIndex('contact_tag_tag').on('contact_tag').columns(['org_id', 'tag_id']).execute()

  // One row per customer and organization; what the list shows is kept here, never counted.
  await db.schema
    .createTable('conversation')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('contact_id', 'text', c => c.notNull().unique().references('contact.id').onDelete('cascade'))
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
    .execute()
  await db.schema
    .createIndex('conversation_list')
    .on('conversation')
    .columns(['org_id', 'archived', 'last_activity_at desc', 'id desc'])
    .execute()
}

async function messages(db: Db) {
  // content: the typed parts that only some kinds have. wamid: Meta's id, null until it is known.
  await db.schema
    .createTable('message')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('id', 'text', c => c.notNull().unique())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('conversation_id', 'text', c => c.notNull().references('conversation.id').onDelete('cascade'))
    .addColumn('wamid', 'text')
    .addColumn('direction', 'text', c => c.notNull())
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('text', 'text', c => c.notNull())
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
    .execute()
  await db.schema
    .createIndex('message_thread')
    .on('message')
    .columns(['conversation_id', 'at desc', 'seq desc'])
    .execute()
  await db.schema.createIndex('message_wamid').on('message').columns(['org_id', 'wamid']).unique().execute()

  await db.schema
    .createTable('reaction')
    .addColumn('message_id', 'text', c => c.notNull().references('message.id').onDelete('cascade'))
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('by', 'text', c => c.notNull())
    .addColumn('emoji', 'text', c => c.notNull())
    .addColumn('at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('reaction_pk', ['message_id', 'by'])
    .execute()

  // state: pending | stored | failed. path is relative to DATA_DIR/media.
  await db.schema
    .createTable('media')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('message_id', 'text', c => c.notNull().unique().references('message.id').onDelete('cascade'))
    .addColumn('provider_id', 'text', c => c.notNull())
    .addColumn('mime', 'text', c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('size', 'integer')
    .addColumn('sha256', 'text')
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('path', 'text')
    .addColumn('attempts', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('next_attempt_at', 'text')
    .addColumn('error', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('media_due').on('media').columns(['state', 'next_attempt_at']).execute()
}

async function sending(db: Db) {
  // state: queued | inFlight | unknown | done. kind: message | read | typing. The row is written before the call.
  await db.schema
    .createTable('outbox')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('conversation_id', 'text', c => c.notNull().references('conversation.id').onDelete('cascade'))
    .addColumn('message_id', 'text', c => c.references('message.id').onDelete('cascade'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('target_wamid', 'text')
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('due_at', 'text', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('outbox_due').on('outbox').columns(['state', 'due_at', 'seq']).execute()
  await db.schema.createIndex('outbox_message').on('outbox').column('message_id').execute()

  // Append-only: what was tried and what came back. callback is the biz_opaque_callback_data of the attempt.
  await db.schema
    .createTable('message_attempt')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('message_id', 'text', c => c.notNull().references('message.id').onDelete('cascade'))
    .addColumn('callback', 'text', c => c.notNull().unique())
    .addColumn('started_at', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('outcome', 'text')
    .addColumn('http_status', 'integer')
    .addColumn('error_code', 'text')
    .addColumn('error_detail', 'text')
    .addColumn('wamid', 'text')
    .execute()
  await db.schema.createIndex('message_attempt_message').on('message_attempt').column('message_id').execute()

  // What came for a message that is not there yet (status before the answer, reaction before its target).
  await db.schema
    .createTable('pending_effect')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('wamid', 'text', c => c.notNull())
    .addColumn('effect', 'text', c => c.notNull())
    .addColumn('received_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('pending_effect_wamid').on('pending_effect').columns(['org_id', 'wamid']).execute()
  await db.schema.createIndex('pending_effect_age').on('pending_effect').column('received_at').execute()

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
    .addPrimaryKeyConstraint('idempotency_pk', ['org_id', 'caller', 'key'])
    .execute()
  await db.schema.createIndex('idempotency_age').on('idempotency').column('created_at').execute()
}

async function intake(db: Db) {
  // The raw bytes as they came, before anything is understood. state: 0 waiting, 1 applied, 2 parked, 3 unknown number.
  await db.schema
    .createTable('webhook_journal')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('connection_id', 'text')
    .addColumn('received_at', 'text', c => c.notNull())
    .addColumn('raw', 'blob', c => c.notNull())
    .addColumn('state', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('note', 'text')
    .execute()
  await db.schema
    .createIndex('webhook_journal_waiting')
    .on('webhook_journal')
    .columns(['state', 'seq'])
    .where(sql.ref('state'), '=', sql.lit(0))
    .execute()
  await db.schema
    .createIndex('webhook_journal_parked')
    .on('webhook_journal')
    .columns(['state', 'seq'])
    .where(sql.ref('state'), '>', sql.lit(1))
    .execute()
}

async function live(db: Db) {
  // seq counts per organization, so that one organization's numbers tell nothing about another's.
  await db.schema
    .createTable('event')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('seq', 'integer', c => c.notNull())
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('number', 'text')
    .addColumn('audience', 'text')
    .addColumn('data', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('event_pk', ['org_id', 'seq'])
    .execute()
  await db.schema.createIndex('event_age').on('event').column('at').execute()
  await db.schema
    .createTable('org_counter')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('event_seq', 'integer', c => c.notNull())
    .execute()

  await db.schema
    .createTable('notification')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('title', 'text', c => c.notNull())
    .addColumn('message', 'text', c => c.notNull())
    .addColumn('redirect', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('viewed_at', 'text')
    .execute()
  await db.schema
    .createIndex('notification_list')
    .on('notification')
    .columns(['org_id', 'user_id', 'created_at desc'])
    .execute()
}

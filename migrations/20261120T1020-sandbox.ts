import { type Kysely, sql } from 'kysely'

/**
 * The simulated Graph API. Times are integers here (ms since 1970): its clock is moved by arithmetic, one statement
 * a table. `aged_ms` is how far it has been moved in all, for what left the house with a time in it.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
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
    .addColumn('aged_ms', 'integer', c => c.notNull())
    .execute()

  // reads: null follows the simulator's setting. window_from_ms: what the customer said last.
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
    .addColumn('reads', 'integer')
    .addColumn('window_from_ms', 'integer')
    .addColumn('ad_at_ms', 'integer')
    .addColumn('entry_until_ms', 'integer')
    .addColumn('typing_until_ms', 'integer')
    .addColumn('seen_ms', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('sandbox_customer_pk', ['org_id', 'wa_id'])
    .addUniqueConstraint('sandbox_customer_bsuid', ['org_id', 'bsuid'])
    .execute()
  await db.schema.createIndex('sandbox_customer_seen').on('sandbox_customer').columns(['org_id', 'seen_ms']).execute()

  // Both directions: out is what the business asked to send, with its request; in is what a customer did.
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
  await db.schema
    .createIndex('sandbox_message_list')
    .on('sandbox_message')
    .columns(['org_id', 'direction', 'seq'])
    .execute()
  await db.schema
    .createIndex('sandbox_message_customer')
    .on('sandbox_message')
    .columns(['org_id', 'wa_id', 'direction', 'seq'])
    .execute()
  await db.schema.createIndex('sandbox_message_age').on('sandbox_message').column('at_ms').execute()

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
  await db.schema.createIndex('sandbox_media_org').on('sandbox_media').column('org_id').execute()
  await db.schema.createIndex('sandbox_media_age').on('sandbox_media').column('expires_ms').execute()

  await db.schema
    .createTable('sandbox_fault')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', c => c.notNull().references('sandbox_number.org_id').onDelete('cascade'))
    .addColumn('code', 'text', c => c.notNull())
    .addColumn('mode', 'text', c => c.notNull())
    .addColumn('remaining', 'integer', c => c.notNull())
    .execute()
  await db.schema.createIndex('sandbox_fault_org').on('sandbox_fault').columns(['org_id', 'seq']).execute()

  // Every wait is a row. kind: step (statuses still to come, in plan) | post (a webhook to deliver, in body).
  // due_ms null: waits for the customer. Rows of one lane go out one after the other.
  await db.schema
    .createTable('sandbox_job')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', c => c.notNull().references('sandbox_number.org_id').onDelete('cascade'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('lane', 'text', c => c.notNull())
    .addColumn('wa_id', 'text', c => c.notNull())
    .addColumn('plan', 'text')
    .addColumn('body', 'text')
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('due_ms', 'integer')
    .addColumn('since_ms', 'integer', c => c.notNull())
    .execute()
  await db.schema
    .createIndex('sandbox_job_due')
    .on('sandbox_job')
    .columns(['kind', 'due_ms', 'seq'])
    .where(sql.ref('due_ms'), 'is not', null)
    .execute()
  await db.schema.createIndex('sandbox_job_customer').on('sandbox_job').columns(['org_id', 'wa_id']).execute()
}

import type { Kysely } from 'kysely'

/** Addresses of other programs that are told of something, and what each was told, with how it was taken. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('outgoing_webhook')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('url', 'text', c => c.notNull())
    // The secret it is signed with; opens in this row alone.
    .addColumn('sealed', 'text', c => c.notNull())
    // 0/1
    .addColumn('active', 'integer', c => c.notNull())
    // Why it was switched off by itself; null: it was not.
    .addColumn('stopped_for', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('changed_at', 'text', c => c.notNull())
    .addColumn('changed_by', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('outgoing_webhook_key', ['org_id', 'name'])
    .execute()
  await db.schema
    .createTable('webhook_delivery')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('webhook', 'text', c => c.notNull())
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('body', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    // The last attempt: when, what was answered, why there was no answer, how long it took.
    .addColumn('attempted_at', 'text')
    .addColumn('status', 'integer')
    .addColumn('failure', 'text')
    .addColumn('answer', 'text')
    .addColumn('took_ms', 'integer')
    .execute()
  await db.schema
    .createIndex('webhook_delivery_webhook')
    .on('webhook_delivery')
    .columns(['org_id', 'webhook', 'id'])
    .execute()
  await db.schema.createIndex('webhook_delivery_old').on('webhook_delivery').columns(['created_at']).execute()
}

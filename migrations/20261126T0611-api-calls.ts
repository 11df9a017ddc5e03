import type { Kysely } from 'kysely'

/** What came lately with each API key: which call, how it ended, from where; nothing of what was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_call')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('key_id', 'text', c => c.notNull().references('apikey.id').onDelete('cascade'))
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('method', 'text', c => c.notNull())
    // As it was mounted, without what stood in its places.
    .addColumn('route', 'text', c => c.notNull())
    .addColumn('status', 'integer', c => c.notNull())
    .addColumn('has_failed', 'integer', c => c.notNull())
    // Why it was refused; null: it was not.
    .addColumn('code', 'text')
    // Whose sentence says more than that of its code.
    .addColumn('text_code', 'text')
    .addColumn('took_ms', 'integer', c => c.notNull())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('request_id', 'text', c => c.notNull())
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('api_call').columns(columns).execute()
  await index('api_call_org', ['org_id', 'id'])
  await index('api_call_org_failed', ['org_id', 'has_failed', 'id'])
  await index('api_call_key', ['key_id', 'id'])
  await index('api_call_key_failed', ['key_id', 'has_failed', 'id'])
  await index('api_call_at', ['at'])
}

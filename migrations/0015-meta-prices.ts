import type { Kysely } from 'kysely'
import { ofOrganization } from './baseline/schema.ts'

/** What Meta says that it counted and billed, by day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('meta_price')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('waba_id', 'text', c => c.notNull())
    .addColumn('day', 'text', c => c.notNull())
    .addColumn('country', 'text', c => c.notNull())
    .addColumn('category', 'text', c => c.notNull())
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('volume', 'integer', c => c.notNull())
    // Millionths of the currency.
    .addColumn('cost', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('meta_price_key', ['org_id', 'waba_id', 'day', 'country', 'category', 'type'])
    .execute()
  await db.schema
    .createTable('meta_price_reading')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('waba_id', 'text', c => c.notNull())
    .addColumn('first_day', 'text')
    .addColumn('last_day', 'text')
    .addColumn('currency', 'text')
    .addColumn('read_at', 'text', c => c.notNull())
    .addColumn('failure', 'text')
    .addPrimaryKeyConstraint('meta_price_reading_key', ['org_id', 'waba_id'])
    .execute()
}

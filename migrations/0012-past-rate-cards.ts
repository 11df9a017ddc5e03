import type { Kysely } from 'kysely'
import { ofOrganization } from './baseline/schema.ts'

/** Earlier price lists: a day is estimated with the prices of its time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('past_rate_card')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('valid_from', 'text', c => c.notNull())
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('rates', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('past_rate_card_key', ['org_id', 'valid_from'])
    .execute()
}

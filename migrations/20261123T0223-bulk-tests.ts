import type { Kysely } from 'kysely'

/** A send may be a test, to the number of whoever makes it; and what messages cost is what an organization says. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('bulk_send')
    .addColumn('is_test', 'integer', c => c.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('rate_card')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('valid_from', 'text', c => c.notNull())
    .addColumn('rates', 'text', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()
}

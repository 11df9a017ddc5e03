import type { Kysely } from 'kysely'
import { ofOrganization } from './baseline/schema.ts'

/** How many messages of a bulk send were sent, delivered, read or failed in each stretch of time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bulk_send_curve')
    .addColumn('send_id', 'text', c => c.notNull().references('bulk_send.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    // The end of the stretch.
    .addColumn('until', 'text', c => c.notNull())
    // Changes: an attempt that is repeated is taken from the failed ones.
    .addColumn('sent', 'integer', c => c.notNull())
    .addColumn('delivered', 'integer', c => c.notNull())
    .addColumn('read', 'integer', c => c.notNull())
    .addColumn('failed', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('bulk_send_curve_key', ['send_id', 'until'])
    .execute()
}

import type { Kysely } from 'kysely'

/** The address of a flow that other programs call, and what a call was named by whoever made it. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('flow_hook')
    .addColumn('flow_id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    // SHA-256 of what stands in the address: it is found by that, and shown from what is sealed.
    .addColumn('secret_hash', 'text', c => c.notNull())
    .addColumn('sealed', 'text', c => c.notNull())
    .addColumn('changed_at', 'text', c => c.notNull())
    .addColumn('changed_by', 'text', c => c.notNull())
    // Calls that began a session, in the minute that ends then; null: there was none.
    .addColumn('calls', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('minute_ends_at', 'text')
    .addColumn('called_at', 'text')
    .execute()
  await db.schema.createIndex('flow_hook_secret').unique().on('flow_hook').columns(['secret_hash']).execute()
  await db.schema.createIndex('flow_hook_org').on('flow_hook').columns(['org_id']).execute()
  // null: it was begun otherwise, or the call had no name.
  await db.schema.alterTable('flow_session').addColumn('client_key', 'text').execute()
  await db.schema
    .createIndex('flow_session_client_key')
    .unique()
    .on('flow_session')
    .columns(['flow_id', 'client_key'])
    .where('client_key', 'is not', null)
    .execute()
}

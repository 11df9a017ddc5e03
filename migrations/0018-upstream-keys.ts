import type { Kysely } from 'kysely'

/** Key pairs that sign what is asked of an upstream. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('upstream_key')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('public_key', 'text', c => c.notNull())
    // Sealed.
    .addColumn('private_key', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
}

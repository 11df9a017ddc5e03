import type { Kysely } from 'kysely'

/** How far the stream of events of an upstream was read, and how it stands. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('upstream_stream')
    .addColumn('address', 'text', c => c.primaryKey())
    .addColumn('last_id', 'text')
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('detail', 'text')
    .addColumn('changed_at', 'text', c => c.notNull())
    .addColumn('refused', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('refused_field', 'text')
    .execute()
}

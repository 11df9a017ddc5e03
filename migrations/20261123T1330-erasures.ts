import type { Kysely } from 'kysely'

/**
 * Whoever was erased at their wish: who did it, when and why, with a keyed hash in the place of the number; and by such
 * a hash, who had wanted no marketing.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('erasure')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('reason', 'text', c => c.notNull())
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('requested_at', 'text', c => c.notNull())
    .addColumn('finished_at', 'text')
    .addColumn('number_hash', 'text', c => c.notNull())
    .addColumn('contact_id', 'text')
    .addColumn('target', 'text')
    .addColumn('step', 'integer', c => c.notNull())
    .addColumn('place', 'text', c => c.notNull())
    .addColumn('messages', 'integer', c => c.notNull())
    .execute()
  await db.schema.createIndex('erasure_org').on('erasure').columns(['org_id', 'id']).execute()
  await db.schema.createIndex('erasure_number').on('erasure').columns(['org_id', 'number_hash']).execute()

  await db.schema
    .createTable('opt_out_mark')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('hash', 'text', c => c.notNull())
    .addColumn('erasure_id', 'text', c => c.notNull().references('erasure.id').onDelete('cascade'))
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('source', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('opt_out_mark_pk', ['org_id', 'hash'])
    .execute()
  await db.schema.createIndex('opt_out_mark_erasure').on('opt_out_mark').column('erasure_id').execute()
}

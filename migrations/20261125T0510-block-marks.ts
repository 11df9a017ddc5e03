import type { Kysely } from 'kysely'

/** Whom the team had blocked before they were erased, by a keyed hash: who comes back comes back blocked. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('block_mark')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('hash', 'text', c => c.notNull())
    .addColumn('erasure_id', 'text', c => c.notNull().references('erasure.id').onDelete('cascade'))
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('blocked_by', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('block_mark_pk', ['org_id', 'hash'])
    .execute()
  await db.schema.createIndex('block_mark_erasure').on('block_mark').column('erasure_id').execute()
}

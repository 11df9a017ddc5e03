import type { Kysely } from 'kysely'

/** The long texts a bulk send is asked for with, in pieces: megabytes in one value hold whoever else writes. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('bulk_send_text')
    .addColumn('send_id', 'text', c => c.notNull().references('bulk_send.id').onDelete('cascade'))
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    // csv, numbers
    .addColumn('part', 'text', c => c.notNull())
    .addColumn('place', 'integer', c => c.notNull())
    .addColumn('text', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('bulk_send_text_place', ['send_id', 'part', 'place'])
    .execute()
  await db.schema.createIndex('bulk_send_text_org').on('bulk_send_text').column('org_id').execute()
}

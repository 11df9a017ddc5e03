import type { Kysely } from 'kysely'

/** Each night's backup, and whether it was read back whole. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('snapshot')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('began_at', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    // Null: none was made, or it was deleted for newer ones.
    .addColumn('file', 'text')
    .addColumn('bytes', 'integer')
    .addColumn('row_count', 'integer')
    .addColumn('failure', 'text')
    .addColumn('said_at', 'text')
    .execute()
  await db.schema.createIndex('snapshot_began').on('snapshot').column('began_at').execute()
}

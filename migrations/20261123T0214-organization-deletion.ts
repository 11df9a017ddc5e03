import type { Kysely } from 'kysely'

/** Organizations whose owner asked to delete them: until it is due it can be undone. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('org_deletion')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('requested_by', 'text', c => c.notNull())
    .addColumn('requested_at', 'text', c => c.notNull())
    .addColumn('due_at', 'text', c => c.notNull())
    .execute()
}

import type { Kysely } from 'kysely'

/** What holds for all flows of an organization; no row: what the house begins with. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('flow_settings')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    // JSON, lists of words.
    .addColumn('restart_words', 'text', c => c.notNull())
    .addColumn('leave_words', 'text', c => c.notNull())
    .addColumn('person_words', 'text', c => c.notNull())
    // 0: who does not answer stays for a month.
    .addColumn('expires_after_hours', 'integer', c => c.notNull())
    .addColumn('expired_text', 'text')
    .addColumn('closed_text', 'text')
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()
}

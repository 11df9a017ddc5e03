import { type Kysely, sql } from 'kysely'

/** What holds for a whole organization, requests for a new invitation, and the way to what is unread. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  // No row: the defaults. A null is a default too.
  await db.schema
    .createTable('org_settings')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('time_zone', 'text')
    .addColumn('language', 'text')
    .addColumn('country', 'text')
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('invitation_renewal')
    .addColumn('invitation_id', 'text', c => c.primaryKey().references('invitation.id').onDelete('cascade'))
    .addColumn('asked_at', 'text', c => c.notNull())
    .execute()
  // Holds only what is unread, so the sum for a list of organizations reads nothing else.
  await db.schema
    .createIndex('conversation_unread')
    .on('conversation')
    .columns(['org_id', 'archived', 'unread'])
    .where(sql.ref('unread'), '>', sql.lit(0))
    .execute()
}

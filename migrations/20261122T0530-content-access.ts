import type { Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('content_access')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('tag_id', 'text', c => c.notNull().references('tag.id').onDelete('cascade'))
    .addColumn('granted_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('content_access_pk', ['org_id', 'role', 'tag_id'])
    .execute()
  await db.schema.createIndex('content_access_tag').on('content_access').column('tag_id').execute()
  await db.schema
    .createTable('content_access_setting')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('conversations', 'integer', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()
  // Null in rows of before: those that name a number are for whoever sees everything.
  await db.schema.alterTable('event').addColumn('conversation_id', 'text').execute()
}

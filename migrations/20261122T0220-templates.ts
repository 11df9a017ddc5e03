import { type Kysely, sql } from 'kysely'

/**
 * Templates as Meta has them, by organization and account: those of an account that was connected before stay, so that
 * they can be copied to the next. And the simulator's own.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  // category_asked: what was asked for here; null: made elsewhere. body_text: folded, for the search.
  await db.schema
    .createTable('template')
    .addColumn('id', 'text', c => c.notNull())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('waba_id', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('category', 'text', c => c.notNull())
    .addColumn('category_asked', 'text')
    .addColumn('parameter_format', 'text', c => c.notNull())
    .addColumn('components', 'text', c => c.notNull())
    .addColumn('media', 'text', c => c.notNull())
    .addColumn('search_text', 'text', c => c.notNull())
    .addColumn('quality', 'text', c => c.notNull())
    .addColumn('rejected_reason', 'text')
    .addColumn('note', 'text')
    .addColumn('ttl_seconds', 'integer')
    .addColumn('uses', 'integer', c => c.notNull())
    .addColumn('last_used_at', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    .addColumn('synced_at', 'text')
    .addPrimaryKeyConstraint('template_pk', ['org_id', 'id'])
    .addUniqueConstraint('template_name', ['org_id', 'waba_id', 'name', 'language'])
    .execute()
  await db.schema
    .createIndex('template_updated')
    .on('template')
    .columns(['org_id', 'waba_id', 'updated_at', 'id'])
    .execute()

  // Meta's handle of an uploaded file lives some weeks; the file itself stays, to be sent and uploaded again.
  await db.schema
    .createTable('template_media')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('mime', 'text', c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('size', 'integer', c => c.notNull())
    .addColumn('sha256', 'text', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('template_media_org').on('template_media').column('org_id').execute()

  await db.schema
    .createTable('template_sync')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('waba_id', 'text', c => c.notNull())
    .addColumn('due_at', 'text', c => c.notNull())
    .addColumn('synced_at', 'text')
    .addColumn('failure', 'text')
    .execute()

  // review_ms: when its review, or its pause, is over; null: nothing is coming.
  await db.schema
    .createTable('sandbox_template')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('sandbox_number.org_id').onDelete('cascade'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('category', 'text', c => c.notNull())
    .addColumn('previous_category', 'text')
    .addColumn('parameter_format', 'text', c => c.notNull())
    .addColumn('components', 'text', c => c.notNull())
    .addColumn('quality', 'text', c => c.notNull())
    .addColumn('rejected_reason', 'text', c => c.notNull())
    .addColumn('ttl_seconds', 'integer')
    .addColumn('pauses', 'integer', c => c.notNull())
    .addColumn('edits_ms', 'text', c => c.notNull())
    .addColumn('review_ms', 'integer')
    .addColumn('deleted_ms', 'integer')
    .addColumn('created_ms', 'integer', c => c.notNull())
    .execute()
  await db.schema
    .createIndex('sandbox_template_org')
    .on('sandbox_template')
    .columns(['org_id', 'name', 'language'])
    .execute()
  await db.schema
    .createIndex('sandbox_template_review')
    .on('sandbox_template')
    .column('review_ms')
    .where(sql.ref('review_ms'), 'is not', null)
    .execute()

  await db.schema
    .createTable('sandbox_upload')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('sandbox_number.org_id').onDelete('cascade'))
    .addColumn('mime', 'text', c => c.notNull())
    .addColumn('size', 'integer', c => c.notNull())
    .addColumn('handle', 'text')
    .addColumn('created_ms', 'integer', c => c.notNull())
    .execute()
  await db.schema.createIndex('sandbox_upload_handle').on('sandbox_upload').columns(['org_id', 'handle']).execute()
}

import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './schema.ts'

/** Message templates. */
export async function createTemplates(db: Kysely<unknown>): Promise<void> {
  // Templates as Meta has them. Those of an account that was connected before stay and can be copied.
  await db.schema
    .createTable('template')
    .addColumn('id', 'text', c => c.notNull())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('waba_id', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('category', 'text', c => c.notNull())
    // The category requested here; null: made elsewhere.
    .addColumn('category_asked', 'text')
    .addColumn('parameter_format', 'text', c => c.notNull())
    .addColumn('components', 'text', c => c.notNull())
    .addColumn('media', 'text', c => c.notNull())
    // Folded.
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
  await runAll(db, [`create index "template_updated" on "template" ("org_id", "waba_id", "updated_at", "id")`])

  await db.schema
    .createTable('template_media')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('mime', 'text', c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('size', 'integer', c => c.notNull())
    .addColumn('sha256', 'text', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('brought_by', 'text')
    // When a message carried it last.
    .addColumn('sent_at', 'text')
    // The conversation of those messages; '': several.
    .addColumn('sent_in', 'text')
    .addColumn('looked_at', 'text', c => c.notNull().defaultTo(''))
    .execute()
  await runAll(db, [
    `create index "template_media_org" on "template_media" ("org_id")`,
    `create index "template_media_looked" on "template_media" ("looked_at", "id")`,
    `create index template_media_brought on template_media (brought_by) where brought_by is not null`,
  ])

  await db.schema
    .createTable('template_sync')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('waba_id', 'text', c => c.notNull())
    .addColumn('synced_at', 'text')
    .addColumn('failure', 'text')
    .execute()
}

import type { Kysely } from 'kysely'
import { ofOrganization } from './baseline/schema.ts'

/** Archives of whole organizations, one for each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('org_archive')
    .addColumn('org_id', 'text', c => ofOrganization(c).primaryKey())
    .addColumn('id', 'text', c => c.notNull())
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('failure', 'text')
    .addColumn('contacts', 'integer', c => c.notNull())
    .addColumn('messages', 'integer', c => c.notNull())
    // Messages that are written, in each of three forms.
    .addColumn('written', 'integer', c => c.notNull().defaultTo(0))
    // Where the file lies, also while it is written.
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('size', 'integer')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  await db.schema.createIndex('org_archive_ended').on('org_archive').column('ended_at').execute()
}

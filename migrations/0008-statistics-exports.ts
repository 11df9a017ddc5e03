import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './baseline/schema.ts'

/** Files of statistics that a job writes, in compressed parts, so that a stopped process goes on with the next one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stats_export')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('author_kind', 'text', c => c.notNull())
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    // JSON: the filter.
    .addColumn('request', 'text', c => c.notNull())
    .addColumn('first_day', 'text')
    .addColumn('last_day', 'text')
    .addColumn('is_own', 'integer', c => c.notNull())
    // Hash of what its author might see when it was written.
    .addColumn('rights', 'text')
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('failure', 'text')
    .addColumn('row_count', 'integer')
    .addColumn('done', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('parts', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('bytes', 'integer', c => c.notNull().defaultTo(0))
    // The last segment that is written.
    .addColumn('place_at', 'text')
    .addColumn('place_id', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  await db.schema
    .createTable('stats_export_part')
    .addColumn('export_id', 'text', c => c.notNull().references('stats_export.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('number', 'integer', c => c.notNull())
    // Lines of the file, compressed with gzip.
    .addColumn('body', 'blob', c => c.notNull())
    .addPrimaryKeyConstraint('stats_export_part_pk', ['export_id', 'number'])
    .execute()
  await runAll(db, [
    `create index stats_export_of on stats_export (org_id, id)`,
    `create index stats_export_part_org on stats_export_part (org_id)`,
  ])
}

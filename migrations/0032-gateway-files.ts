import type { Kysely } from 'kysely'
import { countFiles } from './baseline/counters.ts'
import { ofOrganization, runAll } from './baseline/schema.ts'

/** Files that programs uploaded through the gateway, and an index for the files that Meta's webhooks name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('gateway_file')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('mime', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('size', 'integer', c => c.notNull())
    .addColumn('sha256', 'text', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('header_file_id', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('gateway_file_age').on('gateway_file').column('created_at').execute()
  await runAll(db, [`create index media_provider on media (org_id, provider_id) where provider_id <> ''`])
  await countFiles(db, 'gateway_file')
}

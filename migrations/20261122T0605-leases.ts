import type { Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  // Work that one process at a time does; held while its process is at work.
  await db.schema
    .createTable('job_lease')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('owner', 'text', c => c.notNull())
    .execute()
  // The process that is at the call; null: from before, its process is gone.
  await db.schema.alterTable('idempotency').addColumn('owner', 'text').execute()
}

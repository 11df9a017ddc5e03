import type { Kysely } from 'kysely'

/** For how many months an organization keeps what was said, null: for ever; and what its last night deleted. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('org_settings').addColumn('retention_months', 'integer').execute()
  await db.schema.alterTable('org_settings').addColumn('retention_ran_at', 'text').execute()
  await db.schema.alterTable('org_settings').addColumn('retention_deleted', 'integer').execute()
}

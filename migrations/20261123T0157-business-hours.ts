import type { Kysely } from 'kysely'

/** When an organization attends, as JSON of its week and the days that differ; null: at all times. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('org_settings').addColumn('business_hours', 'text').execute()
}

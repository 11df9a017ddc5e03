import type { Kysely } from 'kysely'

/** `description`: what a team is for, in its own words. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('team').addColumn('description', 'text').execute()
}

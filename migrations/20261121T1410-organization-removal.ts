import type { Kysely } from 'kysely'

/** `deleted_at`: nobody sees the organization any more, and its rows go a few at a time. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('organization').addColumn('deleted_at', 'text').execute()
}

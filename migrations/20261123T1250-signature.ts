import type { Kysely } from 'kysely'

/** What a person's composer puts below what they write to customers; null: nothing. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('user').addColumn('signature', 'text').execute()
}

import type { Kysely } from 'kysely'

/** What an organization's people call each of its numbers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('wa_connection').addColumn('label', 'text').execute()
}

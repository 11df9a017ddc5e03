import type { Kysely } from 'kysely'

/** Until when a person of a bulk send waits for their own hours; null: they do not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('bulk_recipient').addColumn('waits_until', 'text').execute()
}

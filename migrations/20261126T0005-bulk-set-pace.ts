import type { Kysely } from 'kysely'

/** How fast an organization has sends to many leave by a number; null: as usual. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('bulk_pace').addColumn('set_per_second', 'integer').execute()
}

import type { Kysely } from 'kysely'

/** Who made an event, where it does not tell so itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('event').addColumn('actor', 'text').execute()
}

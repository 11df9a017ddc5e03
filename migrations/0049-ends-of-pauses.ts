import type { Kysely } from 'kysely'

/** When Meta ends the pause of a template. Unknown for those that are paused now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('template').addColumn('paused_until', 'text').execute()
}

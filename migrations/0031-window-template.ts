import type { Kysely } from 'kysely'

/** The template for conversations whose window is about to close, as JSON; null: none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('org_settings').addColumn('window_template', 'text').execute()
}

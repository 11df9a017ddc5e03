import type { Kysely } from 'kysely'

/** The address of an organization's website; null: none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('org_settings').addColumn('website', 'text').execute()
}

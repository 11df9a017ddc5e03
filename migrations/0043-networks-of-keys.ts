import type { Kysely } from 'kysely'

/** Where an API key may be used from: a list of networks as JSON; null: anywhere. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('apikey').addColumn('networks', 'text').execute()
}

import type { Kysely } from 'kysely'

/** What a message of ours sends, where its kind and text do not say it all: an `OutboundContent` as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('message').addColumn('outbound', 'text').execute()
}

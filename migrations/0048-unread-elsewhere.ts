import type { Kysely } from 'kysely'

/** Adds how many messages of a conversation another system last counted as unread. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('conversation').addColumn('outside_unread', 'integer').execute()
}

import type { Kysely } from 'kysely'

/** The message that a draft answers. No foreign key: a message that is gone is left out when the draft is read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('chat_draft').addColumn('reply_to', 'text').execute()
}

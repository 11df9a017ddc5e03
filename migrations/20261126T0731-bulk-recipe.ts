import type { Kysely } from 'kysely'

/** A bulk send keeps what it was made of, for whoever repeats it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: a test, or the send was made before.
  await db.schema.alterTable('bulk_send').addColumn('recipe', 'text').execute()
}

import type { Kysely } from 'kysely'

/** A bulk send keeps what it was going to cost by the prices of the moment its people were written down. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: nobody had said what messages cost, or the send was made before.
  await db.schema.alterTable('bulk_send').addColumn('cost', 'text').execute()
}

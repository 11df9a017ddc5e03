import type { Kysely } from 'kysely'

/** A bulk send may start by itself at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('bulk_send').addColumn('starts_at', 'text').execute()
}

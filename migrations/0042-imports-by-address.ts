import type { Kysely } from 'kysely'

/** Imports that are fetched from another program's address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // JSON: where it is fetched from, and how far that is.
  await db.schema.alterTable('chat_import').addColumn('remote', 'text').execute()
  // Encrypted; null: it is not needed any more.
  await db.schema.alterTable('chat_import').addColumn('token', 'text').execute()
}

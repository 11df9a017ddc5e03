import type { Kysely } from 'kysely'

/** Who asked for a code, so that a stranger's guesses count against the stranger. Keys are hashes; rows go after an hour. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('sign_in_flow')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('address_key', 'text', c => c.notNull())
    .addColumn('network_key', 'text', c => c.notNull())
    .addColumn('asked_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('sign_in_flow_address').on('sign_in_flow').columns(['address_key', 'asked_at']).execute()
  await db.schema.createIndex('sign_in_flow_age').on('sign_in_flow').column('asked_at').execute()
}

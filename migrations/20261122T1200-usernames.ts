import type { Kysely } from 'kysely'

/** better-auth's `username`, lower case; null: this person signs in by mail only. One name is one person's. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('user').addColumn('username', 'text').execute()
  await db.schema.createIndex('user_username').on('user').column('username').unique().execute()
  // One password a person: two sign-ins at once must not leave two.
  await db.schema.createIndex('account_provider').on('account').columns(['userId', 'providerId']).unique().execute()
}

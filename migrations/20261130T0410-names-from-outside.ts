import type { Kysely } from 'kysely'

/** What a contact is called outside the product: in the phone's address book, or as a group calls itself; and since when. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('contact').addColumn('outside_name', 'text').execute()
  await db.schema.alterTable('contact').addColumn('outside_name_at', 'text').execute()
}

import type { Kysely } from 'kysely'

/** Search reads an organization's own newest messages: a busy neighbour must not push them out of reach. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.createIndex('message_org').on('message').columns(['org_id', 'seq desc']).execute()
}

import type { Kysely } from 'kysely'

/** How many sends of an organization, or of somebody's, stand how is read without a look at any of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('bulk_send_counted')
    .on('bulk_send')
    .columns(['org_id', 'is_test', 'state', 'creator_id'])
    .execute()
}

import type { Kysely } from 'kysely'

/** Who else than its maker sees a send: decided by the tags of its people, found by an index as its maker's own are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('bulk_send').addColumn('people_tags', 'text').execute()
  await db.schema
    .alterTable('bulk_send')
    .addColumn('is_shared', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('bulk_send_own')
    .on('bulk_send')
    .columns(['org_id', 'creator_id', 'is_test', 'state', 'id'])
    .execute()
  await db.schema
    .createIndex('bulk_send_shared')
    .on('bulk_send')
    .columns(['org_id', 'is_shared', 'state', 'id', 'creator_id'])
    .execute()
}

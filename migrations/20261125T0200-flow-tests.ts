import type { Kysely } from 'kysely'

/** A draft that its author tries on a telephone of their own: what was drawn then, and the word that begins it there. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('flow_test')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('flow_id', 'text', c => c.notNull())
    .addColumn('code', 'text', c => c.notNull())
    // As it was called and drawn when this was asked for; the graph as JSON.
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('graph', 'text', c => c.notNull())
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    // By then nothing of it goes on.
    .addColumn('ends_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('flow_test_code').on('flow_test').columns(['org_id', 'code']).execute()
  await db.schema.createIndex('flow_test_author').on('flow_test').columns(['org_id', 'flow_id', 'author_id']).execute()
  await db.schema.createIndex('flow_test_old').on('flow_test').columns(['created_at']).execute()
  // null: it was no test.
  await db.schema.alterTable('flow_session').addColumn('test_id', 'text').execute()
  await db.schema
    .createIndex('flow_session_test')
    .on('flow_session')
    .columns(['test_id'])
    .where('test_id', 'is not', null)
    .execute()
}

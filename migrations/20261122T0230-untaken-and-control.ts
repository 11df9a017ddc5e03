import type { Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('untaken_item')
    .addColumn('seq', 'integer', c => c.notNull())
    .addColumn('place', 'integer', c => c.notNull())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('item', 'text', c => c.notNull())
    .addColumn('at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('untaken_item_pk', ['seq', 'place'])
    .execute()
  await db.schema.createIndex('untaken_item_name').on('untaken_item').columns(['org_id', 'name', 'seq']).execute()

  // Nobody has the conversation: what `bot` meant until now.
  await db.updateTable('conversation').set({ control: 'none' }).where('control', '=', 'bot').execute()
}

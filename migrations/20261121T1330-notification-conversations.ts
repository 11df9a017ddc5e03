import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  // What is told again moves to the front: its place in the list is no longer its birth.
  await db.schema.alterTable('notification').addColumn('conversation_id', 'text').execute()
  await db.schema
    .alterTable('notification')
    .addColumn('count', 'integer', c => c.notNull().defaultTo(1))
    .execute()
  await db.schema
    .alterTable('notification')
    .addColumn('place', 'text', c => c.notNull().defaultTo(''))
    .execute()
  await db
    .updateTable('notification')
    .set({ place: sql.ref('id') })
    .execute()
  await db.schema.dropIndex('notification_list').execute()
  await db.schema.dropIndex('notification_unread').execute()
  const columns = ['org_id', 'user_id', 'place']
  await db.schema.createIndex('notification_list').on('notification').columns(columns).execute()
  await db.schema
    .createIndex('notification_unread')
    .on('notification')
    .columns(columns)
    .where(sql.ref('viewed_at'), 'is', sql.lit(null))
    .execute()
  await db.schema
    .createIndex('notification_conversation')
    .on('notification')
    .columns(['org_id', 'conversation_id', 'user_id'])
    .unique()
    .where(sql<boolean>`viewed_at is null and conversation_id is not null`)
    .execute()

  await db.schema
    .createTable('conversation_mute')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('conversation_id', 'text', c => c.notNull().references('conversation.id').onDelete('cascade'))
    .addColumn('created_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('conversation_mute_pk', ['org_id', 'user_id', 'conversation_id'])
    .execute()
  await db.schema.createIndex('conversation_mute_user').on('conversation_mute').column('user_id').execute()
  await db.schema
    .createIndex('conversation_mute_conversation')
    .on('conversation_mute')
    .column('conversation_id')
    .execute()
}

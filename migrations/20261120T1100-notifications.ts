import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  // Ids sort by birth: one index lists, pages and trims.
  await db.schema.dropIndex('notification_list').execute()
  await db.schema.createIndex('notification_list').on('notification').columns(['org_id', 'user_id', 'id']).execute()
  await db.schema
    .createIndex('notification_unread')
    .on('notification')
    .columns(['org_id', 'user_id', 'id'])
    .where(sql.ref('viewed_at'), 'is', sql.lit(null))
    .execute()
  await db.schema.createIndex('notification_age').on('notification').column('created_at').execute()
  await db.schema.alterTable('notification').addColumn('words', 'text').execute()

  await db.schema
    .createTable('notification_setting')
    .addColumn('user_id', 'text', c => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('toast', 'integer', c => c.notNull())
    .addColumn('sound', 'integer', c => c.notNull())
    .addColumn('desktop', 'integer', c => c.notNull())
    .addColumn('push', 'integer', c => c.notNull())
    .addColumn('quiet_from', 'text')
    .addColumn('quiet_to', 'text')
    .addColumn('quiet_zone', 'text')
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('notification_mute')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('created_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('notification_mute_pk', ['org_id', 'user_id'])
    .execute()
  await db.schema.createIndex('notification_mute_user').on('notification_mute').column('user_id').execute()

  await db.schema
    .createTable('push_key')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('public_key', 'text', c => c.notNull())
    .addColumn('private_key', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('push_subscription')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('session_id', 'text', c => c.notNull().references('session.id').onDelete('cascade'))
    .addColumn('endpoint', 'text', c => c.notNull().unique())
    .addColumn('p256dh', 'text', c => c.notNull())
    .addColumn('auth', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('push_subscription_user').on('push_subscription').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('push_subscription_session').on('push_subscription').column('session_id').execute()
  await db.schema
    .createTable('push_delivery')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('notification_id', 'text', c => c.notNull().references('notification.id').onDelete('cascade'))
    .addColumn('subscription_id', 'text', c => c.notNull().references('push_subscription.id').onDelete('cascade'))
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('due_at', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('push_delivery_due').on('push_delivery').columns(['due_at', 'seq']).execute()
  await db.schema.createIndex('push_delivery_notification').on('push_delivery').column('notification_id').execute()
  await db.schema.createIndex('push_delivery_subscription').on('push_delivery').column('subscription_id').execute()
  await db.schema.createIndex('push_delivery_org').on('push_delivery').column('org_id').execute()
}

import type { Kysely } from 'kysely'

/**
 * better-auth's keys under its own names; `member_id` is ours: whose role bounds the key. With the membership it goes
 * for good, also when its person comes back.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('apikey')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('configId', 'text', c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('start', 'text')
    .addColumn('referenceId', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('prefix', 'text')
    .addColumn('key', 'text', c => c.notNull())
    .addColumn('refillInterval', 'integer')
    .addColumn('refillAmount', 'integer')
    .addColumn('lastRefillAt', 'text')
    .addColumn('enabled', 'integer')
    .addColumn('rateLimitEnabled', 'integer')
    .addColumn('rateLimitTimeWindow', 'integer')
    .addColumn('rateLimitMax', 'integer')
    .addColumn('requestCount', 'integer')
    .addColumn('remaining', 'integer')
    .addColumn('lastRequest', 'text')
    .addColumn('expiresAt', 'text')
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('updatedAt', 'text', c => c.notNull())
    .addColumn('permissions', 'text')
    .addColumn('metadata', 'text')
    .addColumn('member_id', 'text', c => c.references('member.id').onDelete('set null'))
    .execute()
  await db.schema.createIndex('apikey_key').on('apikey').column('key').unique().execute()
  await db.schema.createIndex('apikey_organization').on('apikey').columns(['referenceId', 'createdAt']).execute()
  await db.schema.createIndex('apikey_member').on('apikey').column('member_id').execute()
  await db.schema.createIndex('apikey_end').on('apikey').column('expiresAt').execute()
}

import type { Kysely } from 'kysely'

/**
 * The second step of signing in: an authenticator app, its backup codes, browsers that are trusted for a while, and
 * sessions in which it is missing yet. Times are ISO 8601 UTC text, flags 0/1.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  // `code` or `password`: what the person has signed in by while the second factor is missing; null: nothing is missing.
  await db.schema.alterTable('session').addColumn('halfSignedInBy', 'text').execute()

  await db.schema
    .createTable('second_factor')
    .addColumn('user_id', 'text', c => c.primaryKey().references('user.id').onDelete('cascade'))
    // Sealed.
    .addColumn('secret', 'text', c => c.notNull())
    // The time step of the last code that was accepted: none up to it is accepted again.
    .addColumn('last_step', 'integer', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()

  // A secret that was shown and not confirmed by a code yet.
  await db.schema
    .createTable('second_factor_setup')
    .addColumn('session_id', 'text', c => c.primaryKey().references('session.id').onDelete('cascade'))
    .addColumn('secret', 'text', c => c.notNull())
    .addColumn('expires_at', 'text', c => c.notNull())
    .execute()

  await db.schema
    .createTable('backup_code')
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('hash', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('backup_code_pk', ['user_id', 'hash'])
    .execute()

  await db.schema
    .createTable('trusted_device')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('user_agent', 'text')
    .addColumn('ip_address', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('last_used_at', 'text', c => c.notNull())
    .addColumn('expires_at', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createIndex('trusted_device_user')
    .on('trusted_device')
    .columns(['user_id', 'last_used_at desc'])
    .execute()
  await db.schema.createIndex('trusted_device_age').on('trusted_device').column('expires_at').execute()

  await db.schema
    .alterTable('org_settings')
    .addColumn('second_factor_required', 'integer', c => c.notNull().defaultTo(0))
    .execute()
}

import type { Kysely } from 'kysely'
import { runAll } from './schema.ts'

/**
 * Accounts and the second factor. better-auth's tables keep its column names (camel case); times are text, because
 * a STRICT table knows no dates.
 */
export async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('email', 'text', c => c.notNull().unique())
    .addColumn('emailVerified', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('image', 'text')
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('updatedAt', 'text', c => c.notNull())
    .addColumn('role', 'text')
    .addColumn('banned', 'integer')
    .addColumn('banReason', 'text')
    .addColumn('banExpires', 'text')
    .addColumn('username', 'text')
    .addColumn('signature', 'text')
    .execute()
  await runAll(db, [`create unique index "user_username" on "user" ("username")`])

  await db.schema
    .createTable('account')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('accountId', 'text', c => c.notNull())
    .addColumn('providerId', 'text', c => c.notNull())
    .addColumn('userId', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('accessToken', 'text')
    .addColumn('refreshToken', 'text')
    .addColumn('idToken', 'text')
    .addColumn('accessTokenExpiresAt', 'text')
    .addColumn('refreshTokenExpiresAt', 'text')
    .addColumn('scope', 'text')
    .addColumn('password', 'text')
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('updatedAt', 'text', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "account_userId_idx" on "account" ("userId")`,
    // An account has one password, even if two sign-ins set it at once.
    `create unique index "account_provider" on "account" ("userId", "providerId")`,
  ])

  await db.schema
    .createTable('verification')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('identifier', 'text', c => c.notNull())
    .addColumn('value', 'text', c => c.notNull())
    .addColumn('expiresAt', 'text', c => c.notNull())
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('updatedAt', 'text', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "verification_identifier_idx" on "verification" ("identifier")`,
    `create index "verification_expiresAt_idx" on "verification" ("expiresAt")`,
  ])

  // The single row (id 1): who administers the installation, and who opened the first organization.
  await db.schema
    .createTable('installation')
    .addColumn('id', 'integer', c => c.primaryKey())
    .addColumn('admin_user_id', 'text')
    .addColumn('first_org_user_id', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()

  // One row per rate-limit key and window. Keys hold hashes, no addresses.
  await db.schema
    .createTable('sign_in_budget')
    .addColumn('key', 'text', c => c.primaryKey())
    .addColumn('used', 'integer', c => c.notNull())
    .addColumn('window_ends_at', 'text', c => c.notNull())
    .execute()
  await runAll(db, [`create index "sign_in_budget_age" on "sign_in_budget" ("window_ends_at")`])

  // Requests for a sign-in code, by hashes of address and network. Rows are deleted after an hour.
  await db.schema
    .createTable('sign_in_flow')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('address_key', 'text', c => c.notNull())
    .addColumn('network_key', 'text', c => c.notNull())
    .addColumn('asked_at', 'text', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "sign_in_flow_address" on "sign_in_flow" ("address_key", "asked_at")`,
    `create index "sign_in_flow_age" on "sign_in_flow" ("asked_at")`,
  ])

  // The authenticator app of an account.
  await db.schema
    .createTable('second_factor')
    .addColumn('user_id', 'text', c => c.primaryKey().references('user.id').onDelete('cascade'))
    // Sealed.
    .addColumn('secret', 'text', c => c.notNull())
    // Time step of the last accepted code: no code up to it is accepted again.
    .addColumn('last_step', 'integer', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()

  await db.schema
    .createTable('backup_code')
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('hash', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('backup_code_pk', ['user_id', 'hash'])
    .execute()

  // Browsers that need no second factor until `expires_at`.
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
  await runAll(db, [
    `create index "trusted_device_user" on "trusted_device" ("user_id", "last_used_at" desc)`,
    `create index "trusted_device_age" on "trusted_device" ("expires_at")`,
  ])
}

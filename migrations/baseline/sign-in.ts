import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './schema.ts'

/** Single sign-on, sessions and API keys. */
export async function createSignIn(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sso_provider')
    // Public: part of the address that the provider sends people back to.
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('domain', 'text', c => c.notNull())
    .addColumn('issuer', 'text', c => c.notNull())
    .addColumn('client_id', 'text', c => c.notNull())
    // Sealed.
    .addColumn('client_secret', 'text', c => c.notNull())
    .addColumn('authorization_endpoint', 'text', c => c.notNull())
    .addColumn('token_endpoint', 'text', c => c.notNull())
    .addColumn('user_info_endpoint', 'text', c => c.notNull())
    .addColumn('jwks_endpoint', 'text', c => c.notNull())
    // `client_secret_basic` or `client_secret_post`.
    .addColumn('token_authentication', 'text', c => c.notNull())
    .addColumn('email_claim', 'text', c => c.notNull())
    .addColumn('name_claim', 'text', c => c.notNull())
    .addColumn('is_active', 'integer', c => c.notNull().defaultTo(0))
    // What newcomers get.
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('team_id', 'text', c => c.references('team.id').onDelete('set null'))
    // What the domain's DNS must contain.
    .addColumn('domain_token', 'text', c => c.notNull())
    .addColumn('domain_verified_at', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    // `dns` or `mail`; null: not verified.
    .addColumn('domain_proof', 'text')
    .addUniqueConstraint('sso_provider_org_domain', ['org_id', 'domain'])
    .execute()
  await runAll(db, [
    // Several organizations may claim a domain; one of them has verified it.
    `create unique index "sso_provider_domain" on "sso_provider" ("domain") where "domain_verified_at" is not null`,
  ])

  // `subject` is the provider's own id of the person and never changes.
  await db.schema
    .createTable('sso_identity')
    .addColumn('provider_id', 'text', c => c.notNull().references('sso_provider.id').onDelete('cascade'))
    .addColumn('subject', 'text', c => c.notNull())
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('created_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('sso_identity_pk', ['provider_id', 'subject'])
    .addUniqueConstraint('sso_identity_user', ['user_id', 'provider_id'])
    .execute()

  // Sign-ins that have left for the provider; a row is used once, when the browser comes back.
  await db.schema
    .createTable('sso_attempt')
    .addColumn('state_hash', 'text', c => c.primaryKey())
    .addColumn('provider_id', 'text', c => c.notNull().references('sso_provider.id').onDelete('cascade'))
    .addColumn('browser_hash', 'text', c => c.notNull())
    .addColumn('return_to', 'text')
    .addColumn('expires_at', 'text', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "sso_attempt_age" on "sso_attempt" ("expires_at")`,
    `create index "sso_attempt_provider" on "sso_attempt" ("provider_id")`,
  ])

  // Organizations that admit single sign-on only.
  await db.schema
    .createTable('sso_demand')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    // The owner who may sign in otherwise; once they are no owner, every owner may.
    .addColumn('exempt_user_id', 'text', c => c.references('user.id').onDelete('set null'))
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await runAll(db, [`create index "sso_demand_exempt" on "sso_demand" ("exempt_user_id")`])

  await db.schema
    .createTable('session')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('expiresAt', 'text', c => c.notNull())
    .addColumn('token', 'text', c => c.notNull().unique())
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('updatedAt', 'text', c => c.notNull())
    .addColumn('ipAddress', 'text')
    .addColumn('userAgent', 'text')
    .addColumn('userId', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('activeOrganizationId', 'text')
    .addColumn('activeTeamId', 'text')
    .addColumn('impersonatedBy', 'text')
    // `code` or `password` while the second factor is missing; null: nothing is missing.
    .addColumn('halfSignedInBy', 'text')
    .addColumn('ssoProviderId', 'text', c => c.references('sso_provider.id').onDelete('set null'))
    // The one organization this session opens. No reference: when the provider or the organization is
    // deleted, the session must not become one that opens everything.
    .addColumn('boundOrgId', 'text')
    .execute()
  await runAll(db, [
    `create index "session_userId_idx" on "session" ("userId")`,
    `create index "session_expiresAt_idx" on "session" ("expiresAt")`,
    `create index "session_sso_provider" on "session" ("ssoProviderId")`,
  ])

  // A secret that was shown and is not confirmed by a code yet.
  await db.schema
    .createTable('second_factor_setup')
    .addColumn('session_id', 'text', c => c.primaryKey().references('session.id').onDelete('cascade'))
    .addColumn('secret', 'text', c => c.notNull())
    .addColumn('expires_at', 'text', c => c.notNull())
    .execute()

  await db.schema
    .createTable('apikey')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('configId', 'text', c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('start', 'text')
    .addColumn('referenceId', 'text', ofOrganization)
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
    // Whose role limits the key.
    .addColumn('member_id', 'text', c => c.references('member.id').onDelete('set null'))
    .execute()
  await runAll(db, [
    `create unique index "apikey_key" on "apikey" ("key")`,
    `create index "apikey_organization" on "apikey" ("referenceId", "createdAt")`,
    `create index "apikey_member" on "apikey" ("member_id")`,
    `create index "apikey_end" on "apikey" ("expiresAt")`,
  ])

  // The latest calls of each API key: which call and how it ended, nothing of what was sent.
  await db.schema
    .createTable('api_call')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('key_id', 'text', c => c.notNull().references('apikey.id').onDelete('cascade'))
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('method', 'text', c => c.notNull())
    // As it is declared, without the values of its parameters.
    .addColumn('route', 'text', c => c.notNull())
    .addColumn('status', 'integer', c => c.notNull())
    .addColumn('has_failed', 'integer', c => c.notNull())
    // Why it was refused; null: it was not.
    .addColumn('code', 'text')
    // A more specific code, whose sentence tells more.
    .addColumn('text_code', 'text')
    .addColumn('took_ms', 'integer', c => c.notNull())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('request_id', 'text', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "api_call_org" on "api_call" ("org_id", "id")`,
    `create index "api_call_org_failed" on "api_call" ("org_id", "has_failed", "id")`,
    `create index "api_call_key" on "api_call" ("key_id", "id")`,
    `create index "api_call_key_failed" on "api_call" ("key_id", "has_failed", "id")`,
    `create index "api_call_at" on "api_call" ("at")`,
  ])
}

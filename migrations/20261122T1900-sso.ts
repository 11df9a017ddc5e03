import { type Kysely, sql } from 'kysely'

/**
 * Sign-in by an organization's own identity provider (OpenID Connect): the providers, who somebody is at theirs, and
 * sign-ins under way. Times are ISO 8601 UTC text, flags 0/1.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('sso_provider')
    // Public: it is part of the address that the provider sends people back to.
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
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
    // Names of the claims that hold a person's address and name.
    .addColumn('email_claim', 'text', c => c.notNull())
    .addColumn('name_claim', 'text', c => c.notNull())
    .addColumn('is_active', 'integer', c => c.notNull().defaultTo(0))
    // What newcomers get.
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('team_id', 'text', c => c.references('team.id').onDelete('set null'))
    // What the domain's DNS must say.
    .addColumn('domain_token', 'text', c => c.notNull())
    .addColumn('domain_verified_at', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    .addUniqueConstraint('sso_provider_org_domain', ['org_id', 'domain'])
    .execute()
  // A domain belongs to one organization of those that claim it.
  await db.schema
    .createIndex('sso_provider_domain')
    .on('sso_provider')
    .column('domain')
    .unique()
    .where(sql.ref('domain_verified_at'), 'is not', null)
    .execute()

  // Who somebody is at a provider; `subject` is its own id of them and never changes.
  await db.schema
    .createTable('sso_identity')
    .addColumn('provider_id', 'text', c => c.notNull().references('sso_provider.id').onDelete('cascade'))
    .addColumn('subject', 'text', c => c.notNull())
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('created_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('sso_identity_pk', ['provider_id', 'subject'])
    .addUniqueConstraint('sso_identity_user', ['user_id', 'provider_id'])
    .execute()

  // A sign-in that has left for the provider; taken once when it comes back.
  await db.schema
    .createTable('sso_attempt')
    .addColumn('state_hash', 'text', c => c.primaryKey())
    .addColumn('provider_id', 'text', c => c.notNull().references('sso_provider.id').onDelete('cascade'))
    .addColumn('browser_hash', 'text', c => c.notNull())
    .addColumn('return_to', 'text')
    .addColumn('expires_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('sso_attempt_age').on('sso_attempt').column('expires_at').execute()
  await db.schema.createIndex('sso_attempt_provider').on('sso_attempt').column('provider_id').execute()

  // By which provider a session was made; null: by none.
  await db.schema
    .alterTable('session')
    .addColumn('ssoProviderId', 'text', c => c.references('sso_provider.id').onDelete('set null'))
    .execute()
  await db.schema.createIndex('session_sso_provider').on('session').column('ssoProviderId').execute()
}

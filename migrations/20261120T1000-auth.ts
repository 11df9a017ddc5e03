import type { Kysely } from 'kysely'

/**
 * better-auth's own tables under its own column names, then ours for sign-in. Times are ISO 8601 UTC text, flags 0/1.
 * What differs from the library's generated schema: times are text (STRICT knows no `date`) and memberships are unique.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await people(db)
  await organizations(db)
  await signIn(db)
}

// biome-ignore lint/suspicious/noExplicitAny: as above
type Db = Kysely<any>

async function people(db: Db) {
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
    .execute()
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
    .execute()
  await db.schema.createIndex('session_userId_idx').on('session').column('userId').execute()
  await db.schema.createIndex('session_expiresAt_idx').on('session').column('expiresAt').execute()
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
  await db.schema.createIndex('account_userId_idx').on('account').column('userId').execute()
  await db.schema
    .createTable('verification')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('identifier', 'text', c => c.notNull())
    .addColumn('value', 'text', c => c.notNull())
    .addColumn('expiresAt', 'text', c => c.notNull())
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('updatedAt', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('verification_identifier_idx').on('verification').column('identifier').execute()
  await db.schema.createIndex('verification_expiresAt_idx').on('verification').column('expiresAt').execute()
}

async function organizations(db: Db) {
  await db.schema
    .createTable('organization')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('slug', 'text', c => c.notNull().unique())
    .addColumn('logo', 'text')
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('metadata', 'text')
    .execute()
  await db.schema
    .createTable('team')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('memberCount', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('organizationId', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('updatedAt', 'text')
    .execute()
  await db.schema.createIndex('team_organizationId_idx').on('team').column('organizationId').execute()
  await db.schema
    .createTable('teamMember')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('teamId', 'text', c => c.notNull().references('team.id').onDelete('cascade'))
    .addColumn('userId', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('membershipKey', 'text', c => c.unique())
    .addColumn('createdAt', 'text')
    .execute()
  await db.schema.createIndex('teamMember_teamId_idx').on('teamMember').column('teamId').execute()
  await db.schema.createIndex('teamMember_userId_idx').on('teamMember').column('userId').execute()
  await db.schema
    .createTable('member')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('organizationId', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('userId', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('createdAt', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('member_organizationId_idx').on('member').column('organizationId').execute()
  await db.schema.createIndex('member_userId_idx').on('member').column('userId').execute()
  // The library looks before it inserts; two accepted invitations at once would pass both looks.
  await db.schema.createIndex('member_once').on('member').columns(['userId', 'organizationId']).unique().execute()
  await db.schema
    .createTable('invitation')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('organizationId', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('email', 'text', c => c.notNull())
    .addColumn('role', 'text')
    .addColumn('teamId', 'text')
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('expiresAt', 'text', c => c.notNull())
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('inviterId', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('invitation_organizationId_idx').on('invitation').column('organizationId').execute()
  await db.schema.createIndex('invitation_email_idx').on('invitation').column('email').execute()
}

async function signIn(db: Db) {
  // One row per key and window: `guess:<hash of e-mail>`, `send:…`, `ip:…`. Keys hold no address.
  await db.schema
    .createTable('sign_in_budget')
    .addColumn('key', 'text', c => c.primaryKey())
    .addColumn('used', 'integer', c => c.notNull())
    .addColumn('window_ends_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('sign_in_budget_age').on('sign_in_budget').column('window_ends_at').execute()

  // The single row (id 1) that says who was first: who administers the installation, who opened the first organization.
  await db.schema
    .createTable('installation')
    .addColumn('id', 'integer', c => c.primaryKey())
    .addColumn('admin_user_id', 'text')
    .addColumn('first_org_user_id', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
}

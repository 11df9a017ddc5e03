import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './baseline/schema.ts'

/** Programs that people connect with OAuth. Each is an API key of its own kind, whose text nobody has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('oauth_code')
    .addColumn('code_hash', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('member_id', 'text', c => c.notNull().references('member.id').onDelete('cascade'))
    .addColumn('client_hash', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('host', 'text', c => c.notNull())
    .addColumn('redirect_uri', 'text', c => c.notNull())
    .addColumn('challenge', 'text', c => c.notNull())
    // Separated by spaces.
    .addColumn('scopes', 'text', c => c.notNull())
    .addColumn('sso_provider_id', 'text')
    .addColumn('expires_at', 'text', c => c.notNull())
    .addColumn('used_at', 'text')
    // The key that its first use made.
    .addColumn('key_id', 'text')
    .execute()
  await db.schema
    .createTable('oauth_program')
    .addColumn('key_id', 'text', c => c.primaryKey().references('apikey.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('client_hash', 'text', c => c.notNull())
    .addColumn('host', 'text', c => c.notNull())
    .addColumn('sso_provider_id', 'text')
    // Its last refresh token ends then.
    .addColumn('ends_at', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('oauth_token')
    .addColumn('hash', 'text', c => c.primaryKey())
    .addColumn('key_id', 'text', c => c.notNull().references('oauth_program.key_id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    // 'access' or 'refresh'
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('expires_at', 'text', c => c.notNull())
    .addColumn('replaced_at', 'text')
    .execute()
  await runAll(db, [
    `create index oauth_code_org on oauth_code (org_id)`,
    `create index oauth_code_member on oauth_code (member_id)`,
    `create index oauth_code_end on oauth_code (expires_at)`,
    `create index oauth_program_org on oauth_program (org_id)`,
    `create index oauth_program_end on oauth_program (ends_at)`,
    `create index oauth_token_key on oauth_token (key_id)`,
    `create index oauth_token_org on oauth_token (org_id)`,
    `create index oauth_token_end on oauth_token (expires_at)`,
  ])
}

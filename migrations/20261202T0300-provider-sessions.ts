import type { Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  // No reference: when provider or organization are deleted, the session must not become one that opens everything.
  await db.schema.alterTable('session').addColumn('boundOrgId', 'text').execute()
  await db
    .updateTable('session')
    .set(eb => ({
      boundOrgId: eb
        .selectFrom('sso_provider')
        .select('org_id')
        .whereRef('sso_provider.id', '=', 'session.ssoProviderId'),
    }))
    .where('ssoProviderId', 'is not', null)
    .execute()
  // `dns` or `mail`; null: not verified. How earlier ones were verified is not known, so they count as the weaker one.
  await db.schema.alterTable('sso_provider').addColumn('domain_proof', 'text').execute()
  await db
    .updateTable('sso_provider')
    .set({ domain_proof: 'mail' })
    .where('domain_verified_at', 'is not', null)
    .execute()
}

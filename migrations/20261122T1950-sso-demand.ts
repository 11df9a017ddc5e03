import type { Kysely } from 'kysely'

/** Organizations whose people come in by single sign-on alone, and the owner who need not. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('sso_demand')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    // Counts while they are an owner; when they are none any more, every owner is exempt.
    .addColumn('exempt_user_id', 'text', c => c.references('user.id').onDelete('set null'))
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('sso_demand_exempt').on('sso_demand').column('exempt_user_id').execute()
}

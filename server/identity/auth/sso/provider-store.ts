import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { maxSsoProviders } from '#shared/auth/sso.ts'
import type { SsoProviderTable } from './table.ts'

export type ProviderRow = Selectable<SsoProviderTable>

/** Newest first. */
export const listProviders = (db: Db, orgId: string): Promise<ProviderRow[]> =>
  db
    .selectFrom('sso_provider')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxSsoProviders)
    .execute()

export async function countProviders(db: Db, orgId: string): Promise<number> {
  const { count } = await db
    .selectFrom('sso_provider')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Across organizations: check the organization before returning anything about it. */
export const findProvider = (db: Db, id: string): Promise<ProviderRow | undefined> =>
  db.selectFrom('sso_provider').selectAll().where('id', '=', id).executeTakeFirst()

export const findProviderOf = (db: Db, orgId: string, id: string): Promise<ProviderRow | undefined> =>
  db.selectFrom('sso_provider').selectAll().where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()

export const hasProviderFor = async (db: Db, orgId: string, domain: string): Promise<boolean> =>
  (await db
    .selectFrom('sso_provider')
    .select('id')
    .where('org_id', '=', orgId)
    .where('domain', '=', domain)
    .executeTakeFirst()) !== undefined

/** The organization that has verified a domain, and how. */
export const findDomainOwner = (
  db: Db,
  domain: string,
): Promise<{ orgId: string; domainProof: string | null } | undefined> =>
  db
    .selectFrom('sso_provider')
    .select(['org_id as orgId', 'domain_proof as domainProof'])
    .where('domain', '=', domain)
    .where('domain_verified_at', 'is not', null)
    .executeTakeFirst()

/**
 * Deactivates the providers of a domain in all organizations, because another organization has proven that it owns the
 * domain.
 */
export async function withdrawVerification(db: OrgDb, domain: string, at: string): Promise<void> {
  await db
    .updateTable('sso_provider')
    .set({ domain_verified_at: null, domain_proof: null, is_active: 0, updated_at: at })
    .where('domain', '=', domain)
    .execute()
}

/** Providers that people can sign in with: active, domain verified, organization not deleted. */
const usable = (db: Db) =>
  db
    .selectFrom('sso_provider')
    .innerJoin('organization', 'organization.id', 'sso_provider.org_id')
    .selectAll('sso_provider')
    .select('organization.slug as orgSlug')
    .where('sso_provider.is_active', '=', 1)
    .where('sso_provider.domain_verified_at', 'is not', null)
    .where('organization.deleted_at', 'is', null)
    .orderBy('sso_provider.created_at')
    .orderBy('sso_provider.id')
    .limit(1)

export type UsableProvider = ProviderRow & { readonly orgSlug: string }

export const findUsableById = (db: Db, id: string): Promise<UsableProvider | undefined> =>
  usable(db).where('sso_provider.id', '=', id).executeTakeFirst()

export const findUsableByDomain = (db: Db, domain: string): Promise<UsableProvider | undefined> =>
  usable(db).where('sso_provider.domain', '=', domain).executeTakeFirst()

/** The first of an organization, by its current or a former slug. */
export const findUsableBySlug = (db: Db, slug: string): Promise<UsableProvider | undefined> =>
  usable(db)
    .where(eb =>
      eb.or([
        eb('organization.slug', '=', slug),
        eb('organization.id', '=', eb.selectFrom('former_slug').select('org_id').where('slug', '=', slug)),
      ]),
    )
    .executeTakeFirst()

export const hasUsableProvider = async (db: Db, orgId: string): Promise<boolean> =>
  (await usable(db).where('sso_provider.org_id', '=', orgId).executeTakeFirst()) !== undefined

export async function insertProvider(
  db: OrgDb,
  row: Omit<ProviderRow, 'is_active' | 'domain_verified_at' | 'domain_proof'>,
): Promise<void> {
  await db.insertInto('sso_provider').values(row).execute()
}

type ProviderChange = Partial<
  Pick<
    ProviderRow,
    | 'is_active'
    | 'client_id'
    | 'client_secret'
    | 'role'
    | 'team_id'
    | 'domain_verified_at'
    | 'domain_proof'
    | 'token_authentication'
  >
>

export async function updateProvider(
  db: OrgDb,
  orgId: string,
  id: string,
  change: ProviderChange & { updated_at: string },
): Promise<void> {
  await db.updateTable('sso_provider').set(change).where('org_id', '=', orgId).where('id', '=', id).execute()
}

export async function deleteProvider(db: OrgDb, orgId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sso_provider')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function findOrgName(db: Db, orgId: string): Promise<string | undefined> {
  return (await db.selectFrom('organization').select('name').where('id', '=', orgId).executeTakeFirst())?.name
}

export const isTeamOf = async (db: Db, orgId: string, teamId: string): Promise<boolean> =>
  (await db
    .selectFrom('team')
    .select('id')
    .where('organizationId', '=', orgId)
    .where('id', '=', teamId)
    .executeTakeFirst()) !== undefined

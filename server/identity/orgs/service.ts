import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { maxUnreadCounted, type OrgListed, type OrgSummary, type orgsApi } from '#shared/orgs/api.ts'
import { slugFault } from './rules.ts'
import {
  findInboxFor,
  findOrgOfFormerSlug,
  findOrgOfMember,
  isSlugTaken,
  lacksSecondFactor,
  listInboxesOfPerson,
  listOrgsOfPerson,
} from './store.ts'

interface OrgsParts {
  readonly databases: Databases
  readonly scopes: Pick<Scopes, 'readScope'>
}

export type Orgs = ServiceOf<typeof orgsApi, Person> & {
  /**
   * The person as a member of that organization (id or slug; absent: the session's active one). Undefined: it does not
   * exist, the person is not a member, or the session is bound to another; callers cannot tell which.
   */
  memberOf(person: Person, org?: string): Promise<Member | undefined>
}

/** The demands of an organization that the person does not meet. */
const demandOn = (
  row: Parameters<typeof lacksSecondFactor>[0] & { readonly meets_sso: unknown },
): { ssoMissing?: true; secondFactorDemanded?: true } => ({
  ...(row.meets_sso ? {} : { ssoMissing: true }),
  ...(lacksSecondFactor(row) ? { secondFactorDemanded: true } : {}),
})

/** A session made by an organization's provider opens only that organization. */
const opens = ({ boundOrgId }: Person, orgId: string): boolean => boundOrgId === undefined || boundOrgId === orgId

export function createOrgs({ databases, scopes }: OrgsParts): Orgs {
  /** Finds an organization by id or by current or former slug. */
  const findRow = async ({ userId, ssoProviderId }: Person, org: string) => {
    const row = await findOrgOfMember(databases.read, userId, org, ssoProviderId)
    if (row) return row
    const renamed = await findOrgOfFormerSlug(databases.read, org)
    return renamed === undefined ? undefined : findOrgOfMember(databases.read, userId, renamed, ssoProviderId)
  }

  /** Undefined: not a member. */
  const findMembership = async (person: Person, org: string) => {
    const row = await findRow(person, org)
    if (!row) return undefined
    const role = effectiveRole(row.role)
    return { row, role, scope: await scopes.readScope(row.id, { role, personId: person.userId }) }
  }

  return {
    async memberOf(person, org) {
      const wanted = org ?? person.activeOrgId
      if (!wanted) return undefined
      const known = await findMembership(person, wanted)
      if (!known) return undefined
      const { row, role, scope } = known
      const { id: orgId, slug: orgSlug, name: orgName } = row
      if (!opens(person, orgId)) return undefined
      return { ...person, orgId, orgSlug, orgName, role, scope, ...demandOn(row) }
    },

    async getViewer(person) {
      const rows = await listOrgsOfPerson(databases.read, person.userId, person.ssoProviderId)
      const shown = rows.filter(row => opens(person, row.id))
      const organizations: OrgSummary[] = shown.map(row => ({
        id: row.id,
        name: row.name,
        slug: row.slug,
        logo: row.logo,
        role: effectiveRole(row.role),
        ...(row.deletesAt === null ? {} : { deletesAt: row.deletesAt }),
        ...demandOn(row),
      }))
      return {
        user: {
          id: person.userId,
          name: person.name,
          email: person.email,
          image: person.image,
          signature: person.signature ?? '',
          role: person.siteRole,
        },
        organizations,
        active: organizations.find(org => org.id === person.activeOrgId) ?? null,
        ...(person.boundOrgId === undefined ? {} : { isBound: true }),
      }
    },

    async listOrganizations(person) {
      const { userId, ssoProviderId } = person
      const all = await listInboxesOfPerson(databases.read, userId, ssoProviderId)
      const rows = all.filter(row => opens(person, row.id))
      const items: OrgListed[] = []
      for (const {
        unread: all,
        lastActivityAt: latest,
        second_factor_required,
        second_factor_since,
        meets_sso,
        ...row
      } of rows) {
        const role = effectiveRole(row.role)
        const demand = demandOn({ second_factor_required, second_factor_since, meets_sso })
        const reads = roleCan(role, 'chat:read') && !demand.secondFactorDemanded && !demand.ssoMissing
        const scope = await scopes.readScope(row.id, { role, personId: userId })
        const { unread, lastActivityAt } =
          scope.kind === 'all'
            ? { unread: all, lastActivityAt: latest }
            : await findInboxFor(databases.read, { orgId: row.id, scope })
        items.push({
          ...row,
          ...demand,
          role,
          unread: reads ? Math.min(unread ?? 0, maxUnreadCounted + 1) : 0,
          lastActivityAt: reads ? lastActivityAt : null,
        })
      }
      return { items }
    },

    async findRenamed(person, { params: { slug } }) {
      const orgId = await findOrgOfFormerSlug(databases.read, slug)
      const isShown = orgId !== undefined && opens(person, orgId)
      const row = isShown ? await findOrgOfMember(databases.read, person.userId, orgId) : undefined
      return { slug: row?.slug ?? null }
    },

    async checkSlug(_person, { params: { slug } }) {
      const reason = slugFault(slug) ?? ((await isSlugTaken(databases.read, slug)) ? 'taken' : null)
      return { available: reason === null, reason }
    },
  }
}

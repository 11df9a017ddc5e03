import type { ServiceOf } from '#shared/contract.ts'
import { maxUnreadCounted, type OrgSummary, type orgsApi } from '#shared/orgs.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import type { Member, Person } from '../actor.ts'
import type { Databases } from '../db.ts'
import { seesAll } from '../visibility/scope.ts'
import { slugFault } from './rules.ts'
import { findOrgOfMember, isSlugTaken, listInboxesOfPerson, listOrgsOfPerson } from './store.ts'

export type Orgs = ServiceOf<typeof orgsApi, Person> & {
  /**
   * The person as a member of the organization with that id or slug; absent: the session's active one.
   * Undefined: there is none, or the person does not belong to it; nobody can tell which.
   */
  memberOf(person: Person, org?: string): Promise<Member | undefined>
}

export function createOrgs({ databases }: { databases: Databases }): Orgs {
  return {
    async memberOf(person, org) {
      const wanted = org ?? person.activeOrgId
      if (!wanted) return undefined
      const row = await findOrgOfMember(databases.read, person.userId, wanted)
      if (!row) return undefined
      const { id: orgId, slug: orgSlug, name: orgName } = row
      return { ...person, orgId, orgSlug, orgName, role: effectiveRole(row.role), scope: seesAll }
    },

    async getViewer(person) {
      const rows = await listOrgsOfPerson(databases.read, person.userId)
      const organizations: OrgSummary[] = rows.map(row => ({ ...row, role: effectiveRole(row.role) }))
      return {
        user: { id: person.userId, name: person.name, email: person.email, image: person.image, role: person.siteRole },
        organizations,
        active: organizations.find(org => org.id === person.activeOrgId) ?? null,
      }
    },

    async listOrganizations({ userId }) {
      const rows = await listInboxesOfPerson(databases.read, userId)
      const items = rows.map(({ unread, lastActivityAt, ...row }) => {
        const role = effectiveRole(row.role)
        const reads = roleCan(role, 'chat:read')
        return {
          ...row,
          role,
          unread: reads ? Math.min(unread ?? 0, maxUnreadCounted + 1) : 0,
          lastActivityAt: reads ? lastActivityAt : null,
        }
      })
      return { items }
    },

    async checkSlug(_person, { params: { slug } }) {
      const reason = slugFault(slug) ?? ((await isSlugTaken(databases.read, slug)) ? 'taken' : null)
      return { available: reason === null, reason }
    },
  }
}

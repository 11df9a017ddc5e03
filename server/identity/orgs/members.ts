import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import { maxMembersListed, maxTeams, type membersApi } from '#shared/orgs/members.ts'
import { countMembers, getOrganization, listMembers, listTeamMembers, listTeams } from './member-store.ts'

export { findMemberRole, getOrganization } from './member-store.ts'

export function createMembers(parts: {
  databases: Databases
  translate(language: Language, key: string): string
}): ServiceOf<typeof membersApi, OrgCaller> {
  const { databases, translate } = parts
  return {
    async listMembers({ orgId, language }, { query }) {
      const { page = 1, pageSize = maxMembersListed } = query
      const search = query.search?.trim() || undefined
      // One more row than shown tells whether another page follows.
      const wanted = { limit: pageSize + 1, offset: (page - 1) * pageSize }
      const rows = await listMembers(databases.read, orgId, wanted, search)
      const items = rows.slice(0, pageSize).map(({ role, ...person }) => {
        const roleId = effectiveRole(role)
        return { ...person, roleId, rol: translate(language, `shell:role.${roleId}`) }
      })
      const hasMore = rows.length > pageSize
      const total = hasMore || page > 1 ? await countMembers(databases.read, orgId, search) : items.length
      return { items, page, pageSize, hasMore, total }
    },

    async listTeams({ orgId }) {
      const [teams, people] = await Promise.all([
        listTeams(databases.read, orgId, maxTeams),
        listTeamMembers(databases.read, orgId, maxTeams * maxMembersListed),
      ])
      const memberIds = new Map(teams.map(({ id }) => [id, [] as string[]]))
      for (const { teamId, userId } of people) memberIds.get(teamId)?.push(userId)
      const items = teams.map(({ id, name, description }) => ({
        id,
        name,
        description: description ?? '',
        memberIds: memberIds.get(id) ?? [],
      }))
      return { items }
    },

    getOrganization: ({ orgId }) => getOrganization(databases.read, orgId),
  }
}

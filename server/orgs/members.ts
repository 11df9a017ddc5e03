import type { ServiceOf } from '#shared/contract.ts'
import type { Language } from '#shared/language.ts'
import { maxMembersListed, maxTeams, type membersApi } from '#shared/members.ts'
import { effectiveRole } from '#shared/permissions.ts'
import type { OrgCaller } from '../actor.ts'
import type { Databases } from '../db.ts'
import { countMembers, getOrganization, listMembers, listTeamMembers, listTeams } from './member-store.ts'

export { findMemberRole, getOrganization } from './member-store.ts'

export function createMembers(parts: {
  databases: Databases
  translate(language: Language, key: string): string
}): ServiceOf<typeof membersApi, OrgCaller> {
  const { databases, translate } = parts
  return {
    async listMembers({ orgId, language }) {
      const rows = await listMembers(databases.read, orgId, maxMembersListed)
      const items = rows.map(({ role, ...person }) => {
        const roleId = effectiveRole(role)
        return { ...person, roleId, rol: translate(language, `shell:role.${roleId}`) }
      })
      const total = items.length < maxMembersListed ? items.length : await countMembers(databases.read, orgId)
      return { items, total }
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

import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { covers, effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { maxMembersListed, maxTeams, type membersApi } from '#shared/orgs/members.ts'
import { countMembers, getOrganization, listAccountFacts, listMembers, listTeamMembers, listTeams } from './store.ts'

export { findMemberRole, getOrganization } from './store.ts'

/** A key also needs the capability. */
const managesMembers = (caller: OrgCaller): boolean =>
  roleCan(caller.role, 'member:manage') &&
  (caller.kind !== 'key' || caller.capabilities === null || covers(caller.capabilities, 'member:manage'))

export function createMembers(parts: {
  databases: Databases
  translate(language: Language, key: string): string
}): ServiceOf<typeof membersApi, OrgCaller> {
  const { databases, translate } = parts
  return {
    async listMembers(caller, { query }) {
      const { orgId, language } = caller
      const { page = 1, pageSize = maxMembersListed } = query
      const search = query.search?.trim() || undefined
      // One more row than shown tells whether another page follows.
      const wanted = { limit: pageSize + 1, offset: (page - 1) * pageSize }
      const rows = await listMembers(databases.read, orgId, wanted, search)
      const shown = rows.slice(0, pageSize)
      const facts =
        query.details && managesMembers(caller)
          ? await listAccountFacts(
              databases.read,
              orgId,
              shown.map(({ userId }) => userId),
            )
          : undefined
      const items = shown.map(({ role, ...person }) => {
        const roleId = effectiveRole(role)
        const { userId } = person
        return {
          ...person,
          roleId,
          rol: translate(language, `shell:role.${roleId}`),
          ...(facts
            ? {
                lastSeenAt: facts.lastSeen.get(userId) ?? null,
                hasSecondFactor: facts.withSecondFactor.has(userId),
              }
            : {}),
        }
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

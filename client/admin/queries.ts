import type { QueryClient } from '@tanstack/react-query'
import type { OrgRole } from '#shared/permissions.ts'
import { keyFor, queryFor } from '../queries.ts'

export const organizationQuery = (org: string) => queryFor(org, 'members.getOrganization', {})
export const membersQuery = (org: string) => queryFor(org, 'members.listMembers', {})
export const teamsQuery = (org: string) => queryFor(org, 'members.listTeams', {})

export const availableTagsQuery = (org: string) => queryFor(org, 'visibility.listAvailableTags', {})
export const assignedTagsQuery = (org: string, role: OrgRole) =>
  queryFor(org, 'visibility.listAssignedTags', { query: { role } })
export const contentAccessQuery = (org: string) => queryFor(org, 'visibility.getContentAccess', {})

/** Which role has which tags' content has changed. */
export const refreshContentAccess = (client: QueryClient, org: string): Promise<unknown> =>
  Promise.all(
    (['listAvailableTags', 'listAssignedTags', 'getContentAccess'] as const).map(name =>
      client.invalidateQueries({ queryKey: keyFor(org, `visibility.${name}`) }),
    ),
  )

/** Who belongs to the organization, or to its teams, has changed. */
export const refreshPeople = (client: QueryClient, org: string): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: keyFor(org, 'members.listMembers') }),
    client.invalidateQueries({ queryKey: keyFor(org, 'members.listTeams') }),
  ])

import type { QueryClient } from '@tanstack/react-query'
import { keyFor, queryFor } from '../queries.ts'

export const organizationQuery = (org: string) => queryFor(org, 'members.getOrganization', {})
export const membersQuery = (org: string) => queryFor(org, 'members.listMembers', {})
export const teamsQuery = (org: string) => queryFor(org, 'members.listTeams', {})

/** Who belongs to the organization, or to its teams, has changed. */
export const refreshPeople = (client: QueryClient, org: string): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: keyFor(org, 'members.listMembers') }),
    client.invalidateQueries({ queryKey: keyFor(org, 'members.listTeams') }),
  ])

import type { QueryClient } from '@tanstack/react-query'
import { queryFor } from '#client/queries.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'

/** All flows, in the order in which their triggers are asked. */
export const flowsQuery = (org: string) => queryFor(org, 'flows.list', {})
export const flowQuery = (org: string, id: string) => queryFor(org, 'flows.get', { params: { id } })
export const versionsQuery = (org: string, id: string) =>
  queryFor(org, 'flows.listVersions', { params: { id }, query: {} })
/** What flows point to. */
export const teamsQuery = (org: string) => queryFor(org, 'members.listTeams', {})
export const membersQuery = (org: string) => queryFor(org, 'members.listMembers', {})

/** Whether a stored role may change flows. */
export const editsFlows = (role: string): boolean => roleCan(effectiveRole(role), 'flow:edit')

export const refreshFlows = (client: QueryClient, org: string): Promise<void> =>
  client.invalidateQueries({ queryKey: flowsQuery(org).queryKey })

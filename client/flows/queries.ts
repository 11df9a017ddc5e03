import type { QueryClient } from '@tanstack/react-query'
import { numberedRows, refreshPages } from '#client/app/paged-list.ts'
import { pagesFor, queryFor } from '#client/app/queries.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

const numbered = {
  first: 1,
  next: (last: { hasMore: boolean; page: number }) => (last.hasMore ? last.page + 1 : undefined),
  query: (page: number) => ({ page }),
  ...numberedRows,
}

/** Flows in the order in which their triggers are asked. */
export const flowsQuery = (org: string) => pagesFor(org, 'flows.list', { query: {} }, numbered)
/** What all of them are called, in the same order. */
export const flowNamesQuery = (org: string) => queryFor(org, 'flows.listNames', {})
export const liveFlowsQuery = (org: string) => queryFor(org, 'flows.listLive', {})
export const flowQuery = (org: string, id: string) => queryFor(org, 'flows.get', { params: { id } })
export const versionsQuery = (org: string, id: string) =>
  queryFor(org, 'flows.listVersions', { params: { id }, query: {} })
/** Who was in a flow, newest first. */
export const runsQuery = (org: string, id: string) =>
  pagesFor(org, 'flows.listRuns', { params: { id }, query: {} }, numbered)
export const runQuery = (org: string, id: string) => queryFor(org, 'flows.getRun', { params: { id } })
export const figuresQuery = (org: string, id: string) => queryFor(org, 'flows.figures', { params: { id } })
/** The last replay of a flow. */
export const replayQuery = (org: string, id: string) => queryFor(org, 'flowReplays.get', { params: { id } })
/** The test of a flow that one has under way on one's own telephone. */
export const testQuery = (org: string, id: string) => queryFor(org, 'flowTests.get', { params: { id } })
/** Where other programs begin a flow. */
export const hookQuery = (org: string, id: string) => queryFor(org, 'flowHooks.getHook', { params: { id } })
/** What steps call services with, by name. */
export const secretsQuery = (org: string) => queryFor(org, 'flowSecrets.listSecrets', {})
/** What flows point to. */
export const teamsQuery = (org: string) => queryFor(org, 'members.listTeams', {})
export const membersQuery = (org: string) => queryFor(org, 'members.listMembers', { query: {} })

/** Fields that the organization's contacts have: each is a variable. */
export const fieldsQuery = (org: string) => queryFor(org, 'contactFields.listFields', {})

/** What holds for all flows. */
export const settingsQuery = (org: string) => queryFor(org, 'flowSettings.getSettings', {})

/** Templates that can be sent, the first page of them. */
export const approvedQuery = (org: string) => queryFor(org, 'templates.list', { query: { status: 'APPROVED' } })

/** The last bulk sends, for whoever may see them. */
export const lastSendsQuery = (org: string) => queryFor(org, 'bulkSends.list', { query: { page: 1 } })

/** Whether a stored role may change flows. */
export const editsFlows = (role: string): boolean => roleCan(effectiveRole(role), 'flow:edit')

export const refreshFlows = async (client: QueryClient, org: string): Promise<void> => {
  refreshPages(client, flowsQuery(org).queryKey)
  await Promise.all(
    [flowNamesQuery(org), liveFlowsQuery(org)].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
  )
}

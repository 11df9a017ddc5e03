import type { QueryClient } from '@tanstack/react-query'
import { numberedRows, refreshPages } from '#client/app/queries/paged-list.ts'
import { pagesFor, queryFor } from '#client/app/queries/queries.ts'
import { flowNamesQuery } from '#client/shell/org-queries.ts'
import { type CountedAtStep, type CountedRuns, countedAtStep, countedRuns } from '#shared/flows/runs/limits.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { statusApproved } from '#shared/templates/words.ts'

const numbered = {
  first: 1,
  next: (last: { hasMore: boolean; page: number }) => (last.hasMore ? last.page + 1 : undefined),
  query: (page: number) => ({ page }),
  ...numberedRows,
}

/** Flows in the order in which their triggers are checked. */
export const flowsQuery = (org: string) => pagesFor(org, 'flows.list', { query: {} }, numbered)
export const liveFlowsQuery = (org: string) => queryFor(org, 'flows.listLive', {})
export const flowQuery = (org: string, id: string) => queryFor(org, 'flows.get', { params: { id } })
export const versionsQuery = (org: string, id: string) =>
  queryFor(org, 'flows.listVersions', { params: { id }, query: {} })
/** Sessions of a flow, newest first. */
/** Sessions that a figure of the statistics counts; `until` is excluded. */
export interface CountedRange {
  readonly counted: CountedRuns | CountedAtStep
  /** A node, for figures of steps. */
  readonly step?: string
  readonly since?: string
  readonly until?: string
}

/** The figure and range that an address names; invalid parts are ignored. Undefined if it names no figure: list all sessions. */
export const countedIn = (query: URLSearchParams): CountedRange | undefined => {
  const step = query.get('step')?.slice(0, 200)
  const atStep = step ? countedAtStep.find(name => name === query.get('counted')) : undefined
  if (step && atStep) return { counted: atStep, step }
  const counted = countedRuns.find(name => name === query.get('counted'))
  const time = (name: 'since' | 'until') => {
    const at = Date.parse(query.get(name) ?? '')
    return Number.isNaN(at) ? {} : { [name]: new Date(at).toISOString() }
  }
  return counted && { counted, ...time('since'), ...time('until') }
}

export const runsQuery = (org: string, id: string, counted?: CountedRange) =>
  pagesFor(org, 'flows.listRuns', { params: { id }, query: { ...counted } }, numbered)
export const runQuery = (org: string, id: string) => queryFor(org, 'flows.getRun', { params: { id } })
export const figuresQuery = (org: string, id: string) => queryFor(org, 'flows.figures', { params: { id } })
/** The last replay of a flow. */
export const replayQuery = (org: string, id: string) => queryFor(org, 'flowReplays.get', { params: { id } })
/** The caller's running test of a flow. */
export const testQuery = (org: string, id: string) => queryFor(org, 'flowTests.get', { params: { id } })
/** The address at which other programs start a flow. */
export const hookQuery = (org: string, id: string) => queryFor(org, 'flowHooks.getHook', { params: { id } })
/** The names of the secrets. */
export const secretsQuery = (org: string) => queryFor(org, 'flowSecrets.listSecrets', {})

export const settingsQuery = (org: string) => queryFor(org, 'flowSettings.getSettings', {})

/** Approved templates, the first page. */
export const approvedQuery = (org: string) => queryFor(org, 'templates.list', { query: { status: statusApproved } })

/** The last bulk sends, for members who may see them. */
export const lastSendsQuery = (org: string) => queryFor(org, 'bulkSends.list', { query: { page: 1 } })

/** `role` is as stored; an unknown one counts as viewer. */
export const editsFlows = (role: string): boolean => roleCan(effectiveRole(role), 'flow:edit')

export const refreshFlows = async (client: QueryClient, org: string): Promise<void> => {
  refreshPages(client, flowsQuery(org).queryKey)
  await Promise.all(
    [flowNamesQuery(org), liveFlowsQuery(org)].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
  )
}

import type { StatsFilter } from '#shared/stats/filter.ts'
import { queryFor } from '../../app/queries.ts'
import { filterIn } from '../queries.ts'

/** Blocks have a range; the other filters are about conversations. */
export const rangeIn = (query: URLSearchParams): Pick<StatsFilter, 'from' | 'to' | 'days'> => {
  const { from, to, days } = filterIn(query)
  return { ...(from ? { from } : {}), ...(to ? { to } : {}), ...(days ? { days } : {}) }
}

type Range = ReturnType<typeof rangeIn>

export const bulkBlockQuery = (org: string, range: Range) => queryFor(org, 'stats.getBulkBlock', { query: range })
export const flowBlockQuery = (org: string, range: Range) => queryFor(org, 'stats.getFlowBlock', { query: range })
export const healthBlockQuery = (org: string) => queryFor(org, 'stats.getHealthBlock', {})
export const flowStepsQuery = (org: string, id: string) => queryFor(org, 'stats.getFlowSteps', { params: { id } })

/** What the page of statistics begins to ask for before it is drawn. */
export const blockQueries = (org: string, query: URLSearchParams) => {
  const range = rangeIn(query)
  return [bulkBlockQuery(org, range), flowBlockQuery(org, range), healthBlockQuery(org)] as const
}

import { queryFor } from '#client/app/queries/queries.ts'
import type { StatsFilter } from '#shared/stats/filter.ts'
import { filterIn } from '../queries.ts'

/** Blocks have a range and a number; the other filters are about conversations. */
export const rangeIn = (query: URLSearchParams): Pick<StatsFilter, 'from' | 'to' | 'days' | 'number'> => {
  const { from, to, days, number } = filterIn(query)
  return {
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(days ? { days } : {}),
    ...(number ? { number } : {}),
  }
}

type Range = ReturnType<typeof rangeIn>

export const templateBlockQuery = (org: string, range: Range) =>
  queryFor(org, 'stats.getTemplateBlock', { query: range })
export const bulkBlockQuery = (org: string, range: Range) => queryFor(org, 'stats.getBulkBlock', { query: range })
export const flowBlockQuery = (org: string, range: Range) => queryFor(org, 'stats.getFlowBlock', { query: range })
export const healthBlockQuery = (org: string) => queryFor(org, 'stats.getHealthBlock', {})
export const flowStepsQuery = (org: string, id: string) => queryFor(org, 'stats.getFlowSteps', { params: { id } })
export const costBlockQuery = (org: string, range: Range) => queryFor(org, 'stats.getCostBlock', { query: range })

/** The queries that start before the page of statistics is drawn. */
export const blockQueries = (org: string, query: URLSearchParams) => {
  const range = rangeIn(query)
  return [
    templateBlockQuery(org, range),
    bulkBlockQuery(org, range),
    flowBlockQuery(org, range),
    healthBlockQuery(org),
  ] as const
}

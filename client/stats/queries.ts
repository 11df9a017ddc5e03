import { pagesFor, queryFor } from '../app/queries.ts'
import { rowsBefore } from '../app/rows-before.ts'

export const overviewQuery = (org: string, timeZone: string) => ({
  ...queryFor(org, 'stats.getOverview', { query: { timeZone } }),
  refetchInterval: 60_000,
})

export const costsQuery = (org: string) => pagesFor(org, 'stats.listCosts', { query: {} }, rowsBefore)

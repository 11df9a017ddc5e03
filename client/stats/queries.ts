import { pagesFor, queryFor } from '../queries.ts'

export const overviewQuery = (org: string, timeZone: string) => ({
  ...queryFor(org, 'stats.getOverview', { query: { timeZone } }),
  refetchInterval: 60_000,
})

export const costsQuery = (org: string) =>
  pagesFor(
    org,
    'stats.listCosts',
    { query: {} },
    {
      first: '',
      next: last => (last.hasMore ? last.items.at(-1)?.id : undefined),
      query: before => (before ? { before } : {}),
      rows: page => page.items,
      keyOf: (row: { id: string }) => row.id,
      join: (_near, far, rows) => ({ ...far, items: [...rows] }),
    },
  )

import type { QueryClient } from '@tanstack/react-query'
import { queryFor } from '#client/app/queries/queries.ts'

/** The person's saved views, by name. */
export const viewsQuery = (org: string) => queryFor(org, 'savedViews.listViews', {})

/** Counts of conversations for the views above the list. */
export const viewCountsQuery = (org: string) => queryFor(org, 'savedViews.countViews', {})

/** Reloads both after a view was added, changed or deleted. */
export const refreshViews = (client: QueryClient, org: string): Promise<unknown> =>
  Promise.all([viewsQuery(org), viewCountsQuery(org)].map(({ queryKey }) => client.invalidateQueries({ queryKey })))

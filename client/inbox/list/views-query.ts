import { queryFor } from '#client/app/queries.ts'

/** The person's saved views, by name. */
export const viewsQuery = (org: string) => queryFor(org, 'savedViews.listViews', {})

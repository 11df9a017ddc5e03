import { queryFor } from '#client/app/queries.ts'

/** The saved views that this person has, by name. */
export const viewsQuery = (org: string) => queryFor(org, 'savedViews.listViews', {})

import type { QueryClient } from '@tanstack/react-query'
import { queryFor } from '#client/app/queries/queries.ts'

/** The organization's tags by label. */
export const tagsQuery = (org: string) => queryFor(org, 'tags.listTags', {})

/** The number of contacts with each tag. For people who manage tags. */
export const tagCountsQuery = (org: string) => queryFor(org, 'tags.countTags', {})

/** The use of a tag, to show what deleting or merging it would affect. */
export const tagUsageQuery = (org: string, id: string) => queryFor(org, 'tags.getTagUsage', { params: { id } })

/** After a change: reloads labels and counts where they are shown. */
export const refreshTags = (client: QueryClient, org: string): Promise<unknown> =>
  Promise.all([tagsQuery(org), tagCountsQuery(org)].map(({ queryKey }) => client.invalidateQueries({ queryKey })))

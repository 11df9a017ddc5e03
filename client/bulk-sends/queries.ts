import type { QueryClient } from '@tanstack/react-query'
import type { RecipientState } from '#shared/bulk-sends.ts'
import { numberedRows, refreshPages } from '../paged-list.ts'
import { keyFor, pagesFor, queryFor } from '../queries.ts'

export const sendsQuery = (org: string) =>
  pagesFor(
    org,
    'bulkSends.list',
    { query: {} },
    { first: 1, next: last => (last.hasMore ? last.page + 1 : undefined), query: page => ({ page }), ...numberedRows },
  )

export const sendQuery = (org: string, id: string) => queryFor(org, 'bulkSends.get', { params: { id } })

export const recipeQuery = (org: string, id: string) => queryFor(org, 'bulkSends.getRecipe', { params: { id } })

export const rateCardQuery = (org: string) => queryFor(org, 'bulkSends.getRateCard', {})

export const segmentsQuery = (org: string) => queryFor(org, 'bulkSends.listSegments', {})
export const contactFieldsQuery = (org: string) => queryFor(org, 'contactFields.listFields', {})
export const ownNumbersQuery = (org: string) => queryFor(org, 'numbers.getWaba', {})

export const recipientsQuery = (org: string, id: string, state: RecipientState | undefined) =>
  pagesFor(
    org,
    'bulkSends.listRecipients',
    { params: { id }, query: state ? { state } : {} },
    { first: 1, next: last => (last.hasMore ? last.page + 1 : undefined), query: page => ({ page }), ...numberedRows },
  )

/** A send went on: what is shown of it, or of any, is asked again. */
export async function refreshSends(client: QueryClient, org: string, id?: string): Promise<void> {
  refreshPages(client, sendsQuery(org).queryKey)
  const belongsTo = (key: readonly unknown[]) => id === undefined || JSON.stringify(key).includes(`"${id}"`)
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: keyFor(org, 'bulkSends.listRecipients') }))
    if (belongsTo(queryKey)) refreshPages(client, queryKey)
  await client.invalidateQueries({
    queryKey: keyFor(org, 'bulkSends.get'),
    predicate: ({ queryKey }) => belongsTo(queryKey),
  })
}

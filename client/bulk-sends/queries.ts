import type { QueryClient } from '@tanstack/react-query'
import { numberedRows, refreshPages } from '#client/app/queries/paged-list.ts'
import { keyFor, pagesFor, queryFor } from '#client/app/queries/queries.ts'
import {
  type BulkSendGroup,
  bulkSendGroups,
  type RecipientOutcome,
  type RecipientState,
} from '#shared/bulk-sends/states.ts'

const isGroup = (name: string): name is BulkSendGroup => Object.hasOwn(bulkSendGroups, name)
/** The filter of an address. Undefined: none. */
export const groupOf = (query: URLSearchParams): BulkSendGroup | undefined => {
  const name = query.get('group') ?? ''
  return isGroup(name) ? name : undefined
}
/** Drafts are shown as another group. */
export const draftGroup = 'drafts'
export const areDraftsOnly = (query: URLSearchParams): boolean => query.get('group') === draftGroup

/** The sends of a list began in this range; `until` is excluded. */
export interface SendRange {
  readonly since?: string
  readonly until?: string
}

/** The range of an address, without its invalid parts. */
export const readSendRange = (query: URLSearchParams): SendRange => {
  const time = (name: 'since' | 'until') => {
    const at = Date.parse(query.get(name) ?? '')
    return Number.isNaN(at) ? {} : { [name]: new Date(at).toISOString() }
  }
  return { ...time('since'), ...time('until') }
}

export const sendsQuery = (org: string, group?: BulkSendGroup, range: SendRange = {}) =>
  pagesFor(
    org,
    'bulkSends.list',
    { query: { ...(group ? { group } : {}), ...range } },
    { first: 1, next: last => (last.hasMore ? last.page + 1 : undefined), query: page => ({ page }), ...numberedRows },
  )

export const draftsQuery = (org: string) => queryFor(org, 'bulkDrafts.listDrafts', {})
export const draftQuery = (org: string, id: string) => queryFor(org, 'bulkDrafts.getDraft', { params: { id } })

/** Tags the viewer may send to and grant. For owners and administrators, all. */
export const grantedTagsQuery = (org: string) => queryFor(org, 'visibility.listAvailableTags', {})

export const groupCountsQuery = (org: string) => queryFor(org, 'bulkSends.countGroups', {})

export const sendQuery = (org: string, id: string) => queryFor(org, 'bulkSends.get', { params: { id } })

export const recipeQuery = (org: string, id: string) => queryFor(org, 'bulkSends.getRecipe', { params: { id } })

export const paceQuery = (org: string) => queryFor(org, 'bulkSends.getPace', {})
export const rateCardQuery = (org: string) => queryFor(org, 'bulkSends.getRateCard', {})

/** Their time zone is used for scheduling. */
/** Filter of the recipients' list. */
export interface ShownPeople {
  readonly state?: RecipientState | undefined
  /** Only those with this reason. */
  readonly reason?: string | undefined
  /** Only the recipients that this figure of the statistics counts. Ignored if there is a state. */
  readonly outcome?: RecipientOutcome | undefined
}

export const recipientsQuery = (org: string, id: string, { state, reason, outcome }: ShownPeople) =>
  pagesFor(
    org,
    'bulkSends.listRecipients',
    {
      params: { id },
      query: state ? { state, ...(reason === undefined ? {} : { reason }) } : outcome ? { outcome } : {},
    },
    { first: 1, next: last => (last.hasMore ? last.page + 1 : undefined), query: page => ({ page }), ...numberedRows },
  )

/** A send progressed: reloads what is shown of it, or of all. */
export async function refreshSends(client: QueryClient, org: string, id?: string): Promise<void> {
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: keyFor(org, 'bulkSends.list') }))
    refreshPages(client, queryKey)
  void client.invalidateQueries({ queryKey: keyFor(org, 'bulkSends.countGroups') })
  const belongsTo = (key: readonly unknown[]) => id === undefined || JSON.stringify(key).includes(`"${id}"`)
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: keyFor(org, 'bulkSends.listRecipients') }))
    if (belongsTo(queryKey)) refreshPages(client, queryKey)
  await client.invalidateQueries({
    queryKey: keyFor(org, 'bulkSends.get'),
    predicate: ({ queryKey }) => belongsTo(queryKey),
  })
}

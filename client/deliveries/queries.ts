import { numberedRows } from '#client/app/queries/paged-list.ts'
import { pagesFor, queryFor } from '#client/app/queries/queries.ts'

const states = ['notUnderstood', 'failed'] as const

export interface DeliveriesFilter {
  readonly number?: string
  readonly state?: (typeof states)[number]
}

/** The filters of an address: `?number=&state=`. */
export function readDeliveriesFilter(query: URLSearchParams): DeliveriesFilter {
  const number = query.get('number')
  const state = states.find(one => one === query.get('state'))
  return { ...(number ? { number: number.slice(0, 30) } : {}), ...(state ? { state } : {}) }
}

export const deliveriesQuery = (org: string, filter: DeliveriesFilter) =>
  pagesFor(
    org,
    'deliveries.list',
    { query: filter },
    {
      ...numberedRows,
      isNumbered: false,
      first: '',
      next: (last: { next: string | null }) => last.next ?? undefined,
      query: (before: string): { before?: string } => (before ? { before } : {}),
    },
  )

export const deliveryQuery = (org: string, id: string) => queryFor(org, 'deliveries.get', { params: { id } })

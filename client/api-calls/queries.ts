import { pagesFor } from '#client/app/queries/queries.ts'
import { rowsBefore } from '#client/app/queries/rows-before.ts'

export interface CallsFilter {
  readonly key?: string
  readonly errors?: true
}

/** The filters of an address: `?key=&errors=1`. */
export function readCallsFilter(query: URLSearchParams): CallsFilter {
  const key = query.get('key')
  return { ...(key ? { key: key.slice(0, 64) } : {}), ...(query.get('errors') ? { errors: true } : {}) }
}

export const callsQuery = (org: string, filter: CallsFilter) =>
  pagesFor(org, 'apiCalls.listCalls', { query: filter }, rowsBefore)

import type { QueryClient } from '@tanstack/react-query'
import { keyFor, pagesFor, queryFor } from '#client/app/queries/queries.ts'
import { type ContactSort, contactSorts } from '#shared/contacts/api.ts'
import { searchMaxChars } from '#shared/inbox/conversations.ts'

export interface ContactFilter {
  readonly search?: string
  readonly tag?: string
  readonly optedOut?: boolean
  readonly segment?: string
}

/** The filters of an address: `?q=&tag=&marketing=&segment=`. */
export function readContactFilter(query: URLSearchParams): ContactFilter {
  const search = query.get('q')?.trim().slice(0, searchMaxChars)
  const tag = query.get('tag')?.slice(0, 64)
  const marketing = query.get('marketing')
  const segment = query.get('segment')
  return {
    ...(search ? { search } : {}),
    ...(tag ? { tag } : {}),
    ...(segment && /^[0-9a-z]{24}$/.test(segment) ? { segment } : {}),
    ...(marketing === 'no' || marketing === 'yes' ? { optedOut: marketing === 'no' } : {}),
  }
}

/** The order of the page, unless its address names another. */
export const usualSort: ContactSort = 'activity'

/** The order of an address: `?sort=`. */
export const sortOf = (query: URLSearchParams): ContactSort =>
  contactSorts.find(sort => sort === query.get('sort')) ?? usualSort

export const importsQuery = (org: string) => queryFor(org, 'contactImports.listImports', {})
export const importQuery = (org: string, id: string) => queryFor(org, 'contactImports.getImport', { params: { id } })

export const countQuery = (org: string, filter: ContactFilter) =>
  queryFor(org, 'contacts.countContacts', { query: filter })

/** Asks again for the list and its count, after contacts have changed. */
export const refreshContacts = async (client: QueryClient, org: string): Promise<void> => {
  await Promise.all(
    (['contacts.listContacts', 'contacts.countContacts'] as const).map(name =>
      client.invalidateQueries({ queryKey: keyFor(org, name) }),
    ),
  )
}

export const contactsQuery = (org: string, filter: ContactFilter, sort: ContactSort) =>
  pagesFor(
    org,
    'contacts.listContacts',
    { query: { ...filter, sort } },
    {
      first: '',
      next: last => last.next ?? undefined,
      query: after => (after ? { after } : {}),
      rows: page => page.items,
      keyOf: (row: { id: string }) => row.id,
      join: (_near, far, rows) => ({ ...far, items: [...rows] }),
    },
  )

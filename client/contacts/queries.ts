import { pagesFor, queryFor } from '#client/app/queries.ts'
import { searchMaxChars } from '#shared/inbox/conversations.ts'

export interface ContactFilter {
  readonly search?: string
  readonly tag?: string
  readonly optedOut?: boolean
  readonly segment?: string
}

/** The filters of an address: `?q=&tag=&marketing=&segment=`. */
export function filterOf(query: URLSearchParams): ContactFilter {
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

export const importsQuery = (org: string) => queryFor(org, 'contactImports.listImports', {})
export const importQuery = (org: string, id: string) => queryFor(org, 'contactImports.getImport', { params: { id } })

export const contactsQuery = (org: string, filter: ContactFilter) =>
  pagesFor(
    org,
    'contacts.listContacts',
    { query: filter },
    {
      first: '',
      next: last => last.next ?? undefined,
      query: after => (after ? { after } : {}),
      rows: page => page.items,
      keyOf: (row: { id: string }) => row.id,
      join: (_near, far, rows) => ({ ...far, items: [...rows] }),
    },
  )

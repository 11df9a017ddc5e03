import { pagesFor, queryFor } from '#client/app/queries/queries.ts'
import { rowsBefore } from '#client/app/queries/rows-before.ts'

export interface PeopleFilter {
  readonly search?: string
  readonly banned?: boolean
}

/** The filters of an address. */
export const readPeopleFilter = (query: URLSearchParams): PeopleFilter => {
  const search = query.get('search')?.trim().slice(0, 100)
  return { ...(search ? { search } : {}), ...(query.get('banned') === 'true' ? { banned: true } : {}) }
}

export const peopleQuery = (filter: PeopleFilter) =>
  pagesFor(
    undefined,
    'site.listPeople',
    { query: filter },
    {
      ...rowsBefore,
      next: last => (last.hasMore ? last.items.at(-1)?.email : undefined),
      query: after => (after ? { after } : {}),
    },
  )

export const entriesQuery = () => pagesFor(undefined, 'site.listEntries', { query: {} }, rowsBefore)

export const sessionsQuery = (id: string) => queryFor(undefined, 'site.listSessions', { params: { id } })

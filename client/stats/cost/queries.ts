import { numberedRows } from '#client/app/queries/paged-list.ts'
import { pagesFor } from '#client/app/queries/queries.ts'
import { anyFree, charges, sentCategories, sentOutcomes, sentSources } from '#shared/stats/cost.ts'
import { rangeIn } from '../blocks/queries.ts'

const oneOf = <T extends string>(value: string | null, some: readonly T[]): T | undefined =>
  some.find(one => one === value)

const present = <T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never

/** The selection in an address. Invalid parts are left out. */
export const selectionIn = (query: URLSearchParams) => ({
  ...rangeIn(query),
  ...present({
    template: query.get('template')?.slice(0, 512) || undefined,
    category: oneOf(query.get('category'), sentCategories),
    country: /^([A-Z]{2}|\?\?)$/.exec(query.get('country') ?? '')?.[0],
    source: oneOf(query.get('source'), sentSources),
    charge: oneOf(query.get('charge'), [...charges, anyFree]),
    outcome: oneOf(query.get('outcome'), sentOutcomes),
  }),
})

export const sentQuery = (org: string, selection: ReturnType<typeof selectionIn>) =>
  pagesFor(
    org,
    'stats.listSentMessages',
    { query: selection },
    { first: 1, next: last => (last.hasMore ? last.page + 1 : undefined), query: page => ({ page }), ...numberedRows },
  )

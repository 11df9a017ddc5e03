import { numberedRows } from '#client/app/queries/paged-list.ts'
import { pagesFor, queryFor } from '#client/app/queries/queries.ts'
import { rowsBefore } from '#client/app/queries/rows-before.ts'
import { origins } from '#shared/stats/definitions.ts'
import { bucketsMax, defaultDays, offeredDays, type ShowPart, type StatsFilter, shows } from '#shared/stats/filter.ts'

export const overviewQuery = (org: string, timeZone: string) => ({
  ...queryFor(org, 'stats.getOverview', { query: { timeZone } }),
  refetchInterval: 60_000,
})

export const costsQuery = (org: string) => pagesFor(org, 'stats.listCosts', { query: {} }, rowsBefore)

const dayForm = /^\d{4}-\d{2}-\d{2}$/

const oneOf = <T extends string>(value: string | null, some: readonly T[]): T | undefined =>
  some.find(one => one === value)

const numberIn = (value: string | null, from: number, to: number): number | undefined => {
  const number = value && /^\d+$/.test(value) ? Number(value) : undefined
  return number !== undefined && number >= from && number <= to ? number : undefined
}

const present = <T extends object>(all: T): T =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== '')) as T

/** The filter of an address, without its invalid parts. */
export function filterIn(query: URLSearchParams): StatsFilter {
  const day = (name: string) => (dayForm.test(query.get(name) ?? '') ? (query.get(name) ?? undefined) : undefined)
  const text = (name: string, most = 64) => query.get(name)?.slice(0, most)
  const days = oneOf(query.get('days'), offeredDays.map(String))
  const from = day('from')
  return present({
    from,
    to: day('to'),
    days: from ? undefined : Number(days ?? defaultDays),
    team: text('team'),
    member: text('member'),
    tag: text('tag'),
    number: text('number', 30),
    origin: oneOf(query.get('origin'), origins),
    hours: oneOf(query.get('hours'), ['business']),
  })
}

/** The part of a figure that an address of the list names. */
export const showIn = (query: URLSearchParams): ShowPart =>
  present({
    show: oneOf(query.get('show'), shows),
    bucket: numberIn(query.get('bucket'), 0, bucketsMax),
    weekday: numberIn(query.get('weekday'), 1, 7),
    hour: numberIn(query.get('hour'), 0, 23),
    answeredBy: query.get('answeredBy')?.slice(0, 64),
  })

export const summaryQuery = (org: string, filter: StatsFilter) => ({
  ...queryFor(org, 'stats.getSummary', { query: { ...filter, compare: true } }),
  refetchInterval: 60_000,
})

export const segmentsQuery = (org: string, filter: StatsFilter & ShowPart) =>
  pagesFor(
    org,
    'stats.listSegments',
    { query: filter },
    { first: 1, next: last => (last.hasMore ? last.page + 1 : undefined), query: page => ({ page }), ...numberedRows },
  )

import { hashKey, type InfiniteData, type QueryClient, type QueryKey, replaceEqualDeep } from '@tanstack/react-query'
import { createAttached } from './attached.ts'
import { queryAt } from './query-at.ts'

/** How a list comes in pages. `P` is what a page is asked by: a number, or the last id of the page before. */
export interface Paging<Page, P> {
  readonly first: P
  /** What to ask after the last page; undefined when it was the last. */
  next(last: Page): P | undefined
  /** The query of one page, laid over the input's. */
  query(page: P): Record<string, unknown>
  /** The rows of a page, nearest to the beginning of the list first. */
  rows(page: Page): readonly object[]
  keyOf(row: never): string | number
  /** A page of these rows that begins as `near` does and goes on as `far` does. */
  join(near: Page, far: Page, rows: readonly never[]): Page
  /** Pages are counted, so that a row which comes in moves all others: `page 2` is where it is counted, not where it was. */
  readonly isNumbered?: boolean
}

/** The numbered pages of `pageOf`. */
export const numberedRows = {
  rows: <T extends object>(page: { items: T[] }): readonly T[] => page.items,
  keyOf: (row: { id: string }) => row.id,
  join: <T extends { items: unknown[] }>(_near: T, far: T, rows: readonly never[]): T => ({ ...far, items: [...rows] }),
  isNumbered: true,
}

export interface PagedList<Page, P> {
  readonly queryKey: readonly unknown[]
  readonly paging: Paging<Page, P>
  ask(page: P, signal?: AbortSignal): Promise<Page>
}

/** What one refresh has brought; becomes pages at the moment it is put into the cache, beside what came meanwhile. */
class FreshPages<Page, P> {
  readonly asked: readonly P[]
  readonly pages: readonly Page[]
  readonly paging: Paging<Page, P>
  constructor(asked: readonly P[], pages: readonly Page[], paging: Paging<Page, P>) {
    this.asked = asked
    this.pages = pages
    this.paging = paging
  }
}

/** More loaded pages than this are not asked again at once: what lies further back comes when it is scrolled to. */
const refreshedAtOnce = 10

type NextPage = { state: 'loading' | 'failed'; isOutdated: boolean; promise: Promise<void> }
interface ClientState {
  /** Hashes of lists of which more than the first page has to be asked again. */
  readonly whole: Set<string>
  readonly next: Map<string, NextPage>
  readonly watchers: Set<() => void>
}
const states = createAttached<QueryClient, ClientState>()
const stateOf = (client: QueryClient): ClientState => {
  const known = states.of(client)
  if (known) return known
  const made: ClientState = { whole: new Set(), next: new Map(), watchers: new Set() }
  states.attach(client, made)
  return made
}
const setNext = (client: QueryClient, hash: string, next: NextPage | undefined) => {
  const { next: all, watchers } = stateOf(client)
  if (next) all.set(hash, next)
  else all.delete(hash)
  for (const watcher of [...watchers]) watcher()
}

export const nextPageState = (client: QueryClient, queryKey: QueryKey): NextPage['state'] | undefined =>
  stateOf(client).next.get(hashKey(queryKey))?.state

export const watchNextPages = (client: QueryClient, watcher: () => void): (() => void) => {
  const { watchers } = stateOf(client)
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

type Data<Page, P> = InfiniteData<Page, P>
const dataOf = <Page, P>(client: QueryClient, list: PagedList<Page, P>) =>
  client.getQueryData<Data<Page, P>>(list.queryKey)

export const nextParam = <Page, P>({ paging }: PagedList<Page, P>, data: Data<Page, P> | undefined): P | undefined => {
  const last = data?.pages.at(-1)
  return last === undefined ? undefined : paging.next(last)
}

/** One refresh: the first page, or after `refreshPages` every loaded one, all at the same time. */
export async function askAgain<Page, P>(client: QueryClient, list: PagedList<Page, P>, signal: AbortSignal) {
  const { whole } = stateOf(client)
  const hash = hashKey(list.queryKey)
  const isWhole = whole.has(hash)
  const asked = isWhole ? dataOf(client, list)?.pageParams.slice(0, refreshedAtOnce) : undefined
  const params = asked?.length ? asked : [list.paging.first]
  const pages = await Promise.all(params.map(param => list.ask(param, signal)))
  // One that was called off in between has asked for nothing.
  if (isWhole && !signal.aborted) whole.delete(hash)
  return new FreshPages(params, pages, list.paging)
}

/** For `structuralSharing`: what a refresh brought and what is there become one list, without gaps or doubles. */
export const settlePages = (before: unknown, after: unknown): unknown =>
  replaceEqualDeep(before, after instanceof FreshPages ? merge(before as Data<unknown, unknown>, after) : after)

function merge(before: Data<unknown, unknown> | undefined, fresh: FreshPages<unknown, unknown>) {
  const { paging } = fresh
  const alone = { pages: [...fresh.pages], pageParams: [...fresh.asked] }
  if (!before || before.pages.length < 2) return alone
  const keysOf = (page: unknown) => paging.rows(page).map(row => paging.keyOf(row as never))
  const isAsked = (param: unknown) => fresh.asked.some(asked => hashKey([asked]) === hashKey([param]))
  const wasCut = fresh.asked.length > 1 && before.pages.length > refreshedAtOnce
  const known = wasCut ? before.pages.slice(0, refreshedAtOnce) : before.pages
  const isAllAsked = before.pageParams.slice(0, known.length).every(isAsked)
  if (paging.isNumbered && isAllAsked) return alone

  const [first] = fresh.pages
  const firstKeys = new Set(keysOf(first))
  // Where the fresh beginning ends in what was there. Further on nothing has come in.
  const end = known.findLastIndex(page => keysOf(page).some(key => firstKeys.has(key)))
  // All of it is new: what lies behind is no longer next to it.
  if (end < 0 && paging.next(first) !== undefined) return { pages: [first], pageParams: [before.pageParams[0]] }
  const from = Math.max(end, 0)
  const last = known[from]
  const rows = paging.rows(last)
  const rest = rows.slice(keysOf(last).findLastIndex(key => firstKeys.has(key)) + 1)
  const head = rest.length || from > 0 ? paging.join(first, last, [...paging.rows(first), ...rest] as never[]) : first
  const at = new Map(fresh.asked.map((param, index) => [hashKey([param]), fresh.pages[index]]))
  return {
    pages: [
      head,
      ...known.slice(from + 1).map((page, i) => at.get(hashKey([before.pageParams[from + 1 + i]])) ?? page),
    ],
    pageParams: [before.pageParams[0], ...before.pageParams.slice(from + 1, known.length)],
  }
}

/**
 * Asks for the page after the last one and puts it behind what is there by then. A refresh neither stops it nor is
 * stopped by it. Answers when the page is there or has failed (`nextPageState`).
 */
export function loadNextPage<Page, P>(client: QueryClient, list: PagedList<Page, P>): Promise<void> {
  const { queryKey } = list
  const hash = hashKey(queryKey)
  const running = stateOf(client).next.get(hash)
  if (running?.state === 'loading') return running.promise
  const next: NextPage = { state: 'loading', isOutdated: false, promise: Promise.resolve() }
  const load = async () => {
    for (let param = nextParam(list, dataOf(client, list)); param != null; ) {
      const asked = param
      next.isOutdated = false
      // A key of its own: it waits for the network and tries again like any question, and no refresh finds it.
      const page = await client.fetchQuery({
        queryKey: ['next page', ...queryKey, asked],
        queryFn: ({ signal }) => list.ask(asked, signal),
        staleTime: 0,
        gcTime: 0,
      })
      param = nextParam(list, dataOf(client, list))
      // The list goes on elsewhere by now: its end was asked for, not this page.
      if (hashKey([param]) !== hashKey([asked])) continue
      append(client, queryKey, asked, page)
      break
    }
  }
  next.promise = load().then(
    () => {
      setNext(client, hash, undefined)
      if (next.isOutdated) refreshPages(client, queryKey)
    },
    () => setNext(client, hash, { ...next, state: 'failed' }),
  )
  setNext(client, hash, next)
  return next.promise
}

const append = (client: QueryClient, queryKey: QueryKey, param: unknown, page: unknown): void => {
  const query = queryAt(client, queryKey)
  if (!query) return
  const { isInvalidated, dataUpdatedAt } = query.state
  const add = (data: Data<unknown, unknown> | undefined) =>
    data && { ...data, pages: [...data.pages, page], pageParams: [...data.pageParams, param] }
  client.setQueryData(queryKey, add, { updatedAt: dataUpdatedAt })
  if (isInvalidated) query.invalidate()
}

/** An event changed something of the list: a page that is on its way may have been read before it. */
export const outdateNextPage = (client: QueryClient, queryKey: QueryKey): void => {
  const next = stateOf(client).next.get(hashKey(queryKey))
  if (next) next.isOutdated = true
}

/**
 * Any row of these lists may have changed: what is on screen is asked again, every loaded page at the same time; what
 * nobody looks at keeps its first page and is asked when it is opened.
 * `invalidateQueries` asks for the first page only, which is enough when rows come in at the beginning.
 */
export function refreshPages(client: QueryClient, queryKey: QueryKey): void {
  const { whole } = stateOf(client)
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    outdateNextPage(client, query.queryKey)
    if (query.isActive()) whole.add(query.queryHash)
  }
  trimPages(client, queryKey)
  void client.invalidateQueries({ queryKey })
}

/** Lists nobody looks at keep their first page, and are asked again when they are opened. */
export function trimPages(client: QueryClient, queryKey: QueryKey): void {
  for (const query of client.getQueryCache().findAll({ queryKey, type: 'inactive' })) {
    const data = query.state.data as Data<unknown, unknown> | undefined
    if (!Array.isArray(data?.pageParams) || data.pages.length < 2) continue
    const first = { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) }
    client.setQueryData(query.queryKey, first, { updatedAt: query.state.dataUpdatedAt })
    query.invalidate()
  }
}

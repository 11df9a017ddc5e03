import { hashKey, type InfiniteData, type QueryClient, type QueryKey, replaceEqualDeep } from '@tanstack/react-query'
import { queryAt } from '../address/query-at.ts'
import { createAttached } from './attached.ts'

/** The rules of paging a list. `P` identifies a page: its number, or the last id of the page before. */
export interface Paging<Page, P> {
  readonly first: P
  /** Returns the parameter of the page after `last`, or `undefined` if `last` is the end. */
  next(last: Page): P | undefined
  /** Returns the query of one page. It is merged into the input's query. */
  query(page: P): Record<string, unknown>
  /** The rows of a page, beginning of the list first. */
  rows(page: Page): readonly object[]
  keyOf(row: never): string | number
  /** A page of these rows that begins like `near` and continues like `far`. */
  join(near: Page, far: Page, rows: readonly never[]): Page
  /** Pages are numbered, so that a new row moves all others. */
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

/**
 * Holds the result of a refresh. `settlePages` merges it with the loaded pages, including pages that arrived during the
 * refresh.
 */
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

/** More loaded pages are not refreshed at once; the rest is loaded when scrolled to. */
const refreshedAtOnce = 10

type NextPage = { state: 'loading' | 'failed'; isOutdated: boolean; promise: Promise<void> }
interface ClientState {
  /** The hashes of lists that must refresh all their loaded pages, not only the first one. */
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

/** Runs one refresh: loads the first page, or after `refreshPages` every loaded page in parallel. */
export async function askAgain<Page, P>(client: QueryClient, list: PagedList<Page, P>, signal: AbortSignal) {
  const { whole } = stateOf(client)
  const hash = hashKey(list.queryKey)
  const isWhole = whole.has(hash)
  const asked = isWhole ? dataOf(client, list)?.pageParams.slice(0, refreshedAtOnce) : undefined
  const params = asked?.length ? asked : [list.paging.first]
  const pages = await Promise.all(params.map(param => list.ask(param, signal)))
  // An aborted refresh delivers nothing, so the next one must load every page again.
  if (isWhole && !signal.aborted) whole.delete(hash)
  return new FreshPages(params, pages, list.paging)
}

/** The value of `structuralSharing`: merges a refresh with the current pages, without gaps or duplicates. */
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
  // The refreshed beginning ends in this page of the current list. No new rows come after it.
  const end = known.findLastIndex(page => keysOf(page).some(key => firstKeys.has(key)))
  // The refreshed page shares no row with the list, so the current pages no longer follow it.
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
 * True if rows are missing before a numbered page: when loaded rows left the list, the server's pages began earlier,
 * and the rows between were in none that was loaded.
 */
const hasGapBefore = <Page, P>(list: PagedList<Page, P>, data: Data<Page, P> | undefined, page: Page): boolean => {
  const { paging } = list
  if (!paging.isNumbered || !data) return false
  const { page: number, pageSize } = page as { readonly page: number; readonly pageSize: number }
  const loaded = data.pages.reduce((count, one) => count + paging.rows(one).length, 0)
  return loaded < (number - 1) * pageSize
}

/**
 * Loads the page after the last one and appends it to the current list. Independent of refreshes. Resolves when the
 * page is loaded or has failed (`nextPageState`).
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
      // A separate key: it waits for the network and retries like any query, and refreshes do not affect it.
      const page = await client.fetchQuery({
        queryKey: ['next page', ...queryKey, asked],
        queryFn: ({ signal }) => list.ask(asked, signal),
        staleTime: 0,
        gcTime: 0,
      })
      param = nextParam(list, dataOf(client, list))
      // The end of the list changed while this page loaded, so the page no longer follows it.
      if (hashKey([param]) !== hashKey([asked])) continue
      if (hasGapBefore(list, dataOf(client, list), page)) next.isOutdated = true
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

/** An event changed the list: a page that is being loaded may be older. */
export const outdateNextPage = (client: QueryClient, queryKey: QueryKey): void => {
  const next = stateOf(client).next.get(hashKey(queryKey))
  if (next) next.isOutdated = true
}

/**
 * Any row of these lists may have changed: visible lists refresh every loaded page at once; others keep their first
 * page and refresh when opened. `invalidateQueries` refreshes only the first page, which is enough when rows are added
 * at the beginning.
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

/** Lists without observers keep their first page and refresh when opened. */
export function trimPages(client: QueryClient, queryKey: QueryKey): void {
  for (const query of client.getQueryCache().findAll({ queryKey, type: 'inactive' })) {
    const data = query.state.data as Data<unknown, unknown> | undefined
    if (!Array.isArray(data?.pageParams) || data.pages.length < 2) continue
    const first = { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) }
    client.setQueryData(query.queryKey, first, { updatedAt: query.state.dataUpdatedAt })
    query.invalidate()
  }
}

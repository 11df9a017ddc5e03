import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { isMissed, keepDrawn } from '../hydration/as-rendered.ts'
import { scriptSafe } from './script-safe.ts'

/**
 * Answers go from the server's cache to the browser's as such lists in the page, each before the markup that reads it.
 * `d`: an answer, with `u` if parts of the page were rendered without it. `p`: pending, do not request it. `e`: failed
 * here, request it.
 */
type Item = { readonly k: QueryKey } & ({ readonly d: unknown; readonly u?: 1 } | { readonly p: 1 } | { readonly e: 1 })

declare global {
  interface Window {
    /** Lists in JSON, as they arrived. */
    __queries?: { push(items: string): unknown } & Iterable<string>
  }
}

/**
 * Prints an answer by its reply schema, as JSON that is safe inside a script. Returns `undefined` if the query is not
 * an endpoint's.
 */
export type PrintAnswer = (key: QueryKey, answer: unknown) => string | undefined

/**
 * Makes a function that returns the answers since its last call, as JSON that is safe inside a script, or an empty
 * string if there are none.
 */
export const createHandOver = (client: QueryClient, print: PrintAnswer) => {
  const sent = new Map<string, 'p' | 'done'>()
  const keyOf = (key: QueryKey) => scriptSafe(JSON.stringify(key))
  const itemOf = (
    query: ReturnType<ReturnType<QueryClient['getQueryCache']>['getAll']>[number],
  ): string | undefined => {
    const { queryHash: hash, queryKey: key, state } = query
    const before = sent.get(hash)
    if (before === 'done') return undefined
    if (state.status === 'success') {
      const json = print(key, state.data)
      sent.set(hash, 'done')
      return json && `{"k":${keyOf(key)},"d":${json}${isMissed(client, hash) ? ',"u":1' : ''}}`
    }
    if (state.status === 'error') {
      sent.set(hash, 'done')
      return before && `{"k":${keyOf(key)},"e":1}`
    }
    if (before || state.fetchStatus !== 'fetching') return undefined
    sent.set(hash, 'p')
    return `{"k":${keyOf(key)},"p":1}`
  }
  return (): string => {
    const items = client.getQueryCache().getAll().map(itemOf).filter(Boolean)
    return items.length ? `[${items.join(',')}]` : ''
  }
}

/** Puts the answers in the page, and those still to come, into the browser's cache. */
export const receiveHandOver = (client: QueryClient): void => {
  const cache = client.getQueryCache()
  const waiting = new Map<string, (item: { readonly d: unknown; readonly u?: 1 }) => void>()
  const giveUp = (hash: string) => {
    waiting.delete(hash)
    // Resets the query, so that its next reader requests it over HTTP.
    void cache.get(hash)?.cancel({ silent: true, revert: true })
  }
  const take = (item: Item) => {
    const hash = hashKey(item.k)
    if ('e' in item) giveUp(hash)
    else if ('p' in item) {
      const promise = new Promise<{ readonly d: unknown; readonly u?: 1 }>(resolve => waiting.set(hash, resolve))
      const query = cache.build(client, client.defaultQueryOptions({ queryKey: item.k }))
      const answer = query.fetch(undefined, { initialPromise: promise.then(({ d }) => d) } as never)
      Promise.all([promise, answer]).then(
        ([{ u }]) => keepDrawn(client, item.k, u === 1),
        () => undefined,
      )
    } else if (waiting.has(hash)) {
      waiting.get(hash)?.(item)
      waiting.delete(hash)
    } else {
      client.setQueryData(item.k, item.d)
      keepDrawn(client, item.k, item.u === 1)
    }
  }
  const takeAll = (items: string) => (JSON.parse(items) as readonly Item[]).forEach(take)
  const early = window.__queries ?? []
  window.__queries = {
    push: takeAll,
    *[Symbol.iterator]() {},
  }
  for (const items of early) takeAll(items)
  // A page that was cut off sends nothing more.
  const end = () => [...waiting.keys()].forEach(giveUp)
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', end, { once: true })
  else end()
}

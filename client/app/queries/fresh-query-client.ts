import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryClientConfig,
  type QueryKey,
} from '@tanstack/react-query'
import { queryAt } from '../address/query-at.ts'

/** Calls back when a running query has succeeded or failed. */
export const afterAnswer = (query: Query, then: () => void): void => {
  // While it is fetching, this returns the running promise and starts nothing.
  query.fetch().then(then, then)
}

/**
 * A query started before a change may return old data. `QueryClient` repeats invalidated queries, but not ones running
 * for the first time or without an observer; their results would count as fresh. This client repeats those too. Data
 * written by an event does not make an invalidated query fresh.
 */
export class FreshQueryClient extends QueryClient {
  readonly #outdated = new WeakSet<Query>()

  constructor(config?: QueryClientConfig) {
    super(config)
    // Its type does not allow overriding.
    const store = this.setQueryData.bind(this)
    this.setQueryData = ((queryKey: QueryKey, ...rest: [never, never]) => {
      const query = queryAt(this, queryKey)
      const isOutdated = query?.state.isInvalidated === true
      const stored = store(queryKey, ...rest)
      if (isOutdated) query.invalidate()
      return stored
    }) as QueryClient['setQueryData']
  }

  override invalidateQueries(filters: InvalidateQueryFilters = {}, options?: InvalidateOptions): Promise<void> {
    const underWay = this.getQueryCache()
      .findAll(filters as object)
      .filter(({ state }) => state.fetchStatus === 'fetching')
      .map(query => ({ query, answer: query.promise }))
    const done = super.invalidateQueries(filters, options)
    for (const { query, answer } of underWay) if (query.promise === answer) this.#askAgainAfter(query, filters, options)
    return done
  }

  #askAgainAfter(query: Query, { refetchType, type }: InvalidateQueryFilters, options?: InvalidateOptions): void {
    if (this.#outdated.has(query)) return
    this.#outdated.add(query)
    afterAnswer(query, () => {
      this.#outdated.delete(query)
      void this.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType, type }, options)
    })
  }
}

import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryClientConfig,
  type QueryKey,
} from '@tanstack/react-query'
import { queryAt } from './query-at.ts'

/** Calls back once a question that is under way has its answer, or has failed. */
export const afterAnswer = (query: Query, then: () => void): void => {
  // While it is fetching this starts nothing; it is the promise of what is under way.
  query.fetch().then(then, then)
}

/**
 * What was asked before something changed may answer as if it had not. `QueryClient` asks again what is out of date,
 * but not what is being asked for the first time, nor what nobody shows yet: their answer would count as fresh. Nor does
 * what an event puts in make up for what is out of date.
 */
export class FreshQueryClient extends QueryClient {
  readonly #outdated = new WeakSet<Query>()

  constructor(config?: QueryClientConfig) {
    super(config)
    // Its type lets nobody override it.
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

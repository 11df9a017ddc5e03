import {
  type InfiniteData,
  type QueryClient,
  type UseQueryOptions,
  type UseSuspenseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useKnownAsRendered } from '../hydration/as-rendered.ts'
import { loadNextPage, nextPageState, nextParam, type PagedList, watchNextPages } from './paged-list.ts'
import { useAnswer } from './use-answer.ts'

type Options<Page, P> = UseSuspenseQueryOptions<InfiniteData<Page, P>, Error, InfiniteData<Page, P>, readonly unknown[]>
type ListQuery<Page, P> = Options<Page, P> & { listOf(client: QueryClient): PagedList<Page, P> }

const useNextPage = <Page, P>({ listOf }: ListQuery<Page, P>, data: InfiniteData<Page, P> | undefined) => {
  const client = useQueryClient()
  const list = listOf(client)
  const state = useSyncExternalStore(
    watcher => watchNextPages(client, watcher),
    () => nextPageState(client, list.queryKey),
    () => undefined,
  )
  return {
    hasNextPage: nextParam(list, data) != null,
    isFetchingNextPage: state === 'loading',
    isFetchNextPageError: state === 'failed',
    fetchNextPage: () => loadNextPage(client, list),
  }
}

/** The pages of `pagesFor`, awaited under `Suspense`, and how to load the next. */
export const useSuspensePages = <Page, P>(query: ListQuery<Page, P>) => {
  const data = useAnswer(query)
  return { data, ...useNextPage(query, data) }
}

type Waiting<Page, P> = Pick<
  UseQueryOptions<InfiniteData<Page, P>, Error, InfiniteData<Page, P>, readonly unknown[]>,
  'enabled' | 'placeholderData'
>

/** The pages of `pagesFor` that are loaded, and how to load the next. */
export const usePages = <Page, P>(query: ListQuery<Page, P> & Waiting<Page, P>) => {
  const { data: newest, isPending, isError, error, refetch, isPlaceholderData } = useQuery(query)
  const data = useKnownAsRendered(query.queryKey, newest)
  return { data, isPending, isError, error, refetch, isPlaceholderData, ...useNextPage(query, data) }
}

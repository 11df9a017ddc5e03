import {
  type DefaultError,
  type QueryKey,
  type UseQueryOptions,
  type UseSuspenseQueryOptions,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { useAsRendered, useKnownAsRendered } from '../hydration/as-rendered.ts'

type Query<T, K extends QueryKey> = UseSuspenseQueryOptions<T, DefaultError, T, K>
type Optional<T, K extends QueryKey> = Query<T, K> &
  Pick<UseQueryOptions<T, DefaultError, T, K>, 'enabled' | 'refetchInterval'>

const isServer = typeof document === 'undefined'

const useWaitedAnswer = <T, K extends QueryKey>(query: Query<T, K>): T =>
  useAsRendered(query.queryKey, useSuspenseQuery(query).data)

/** The server renders a page once, so known answers are read without observing them. */
const useAnswerOnServer = <T, K extends QueryKey>(query: Query<T, K>): T => {
  const known = useQueryClient().getQueryData<T>(query.queryKey)
  // biome-ignore lint/correctness/useHookAtTopLevel: no component is drawn a second time here
  return known === undefined ? useWaitedAnswer(query) : known
}

/** A query's answer, awaited under `Suspense`. Renders again when it changes. */
export const useAnswer = isServer ? useAnswerOnServer : useWaitedAnswer

const useOptionalInBrowser = <T, K extends QueryKey>(query: Optional<T, K>): T | undefined =>
  useKnownAsRendered(query.queryKey, useQuery(query).data)

const useOptionalOnServer = <T, K extends QueryKey>({ queryKey }: Optional<T, K>): T | undefined =>
  useKnownAsRendered<T>(queryKey, undefined)

/** Returns a query's answer without suspending. `undefined` until the answer arrives. */
export const useOptionalAnswer = isServer ? useOptionalOnServer : useOptionalInBrowser

/** Returns the answer if another component has requested it, otherwise `undefined`. Requests nothing itself. */
export const useKnownAnswer = <T, K extends QueryKey>(query: Query<T, K>): T | undefined =>
  useOptionalAnswer({ ...query, enabled: false })

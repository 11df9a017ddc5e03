import {
  type DefaultError,
  type QueryKey,
  type UseSuspenseQueryOptions,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query'

type Query<T, K extends QueryKey> = UseSuspenseQueryOptions<T, DefaultError, T, K>

const isServer = typeof document === 'undefined'

const useWaitedAnswer = <T, K extends QueryKey>(query: Query<T, K>): T => useSuspenseQuery(query).data

/** A page is drawn once on the server: what is known there is read without anybody watching whether it changes. */
const useAnswerOnServer = <T, K extends QueryKey>(query: Query<T, K>): T => {
  const known = useQueryClient().getQueryData<T>(query.queryKey)
  // biome-ignore lint/correctness/useHookAtTopLevel: no component is drawn a second time here
  return known === undefined ? useWaitedAnswer(query) : known
}

/** The answer of a query, waited for under `Suspense`; drawn again when it changes. */
export const useAnswer = isServer ? useAnswerOnServer : useWaitedAnswer

const useWatchedAnswer = <T, K extends QueryKey>(query: Query<T, K>): T | undefined =>
  useQuery({ ...query, enabled: false }).data

const useKnownOnServer = <T, K extends QueryKey>({ queryKey }: Query<T, K>): T | undefined =>
  useQueryClient().getQueryData<T>(queryKey)

/** The answer as far as somebody else has asked for it; undefined until then. */
export const useKnownAnswer = isServer ? useKnownOnServer : useWatchedAnswer

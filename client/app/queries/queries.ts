import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { createContext, type LoaderFunctionArgs } from 'react-router'
import type { ApiServices } from '#shared/api.ts'
import type { EndpointShape, InputOf, ReplyOf } from '#shared/kernel/contract.ts'
import type { ApiFor, CallOptions } from '../calls/api.ts'
import { isApiError } from '../calls/api-error.ts'
import { nextTurn } from '../hydration/next-turn.ts'
import { createAttached } from './attached.ts'
import { FreshQueryClient } from './fresh-query-client.ts'
import { refusal } from './guard.ts'
import { askAgain, type PagedList, type Paging, settlePages } from './paged-list.ts'

/** An endpoint as one word, such as `inbox.listConversations`. */
type EndpointName = {
  [R in keyof ApiServices]: `${R & string}.${keyof ApiServices[R] & string}`
}[keyof ApiServices]
type EndpointOf<N extends EndpointName> = N extends `${infer R}.${infer K}`
  ? R extends keyof ApiServices
    ? K extends keyof ApiServices[R]
      ? Extract<ApiServices[R][K], EndpointShape>
      : never
    : never
  : never
export type EndpointInput<N extends EndpointName> = InputOf<EndpointOf<N>>
export type EndpointReply<N extends EndpointName> = ReplyOf<EndpointOf<N>>

export const queryClientContext = createContext<QueryClient>()

/** The API of each cache: in-process on the server, `fetch` in the browser. */
const apis = createAttached<QueryClient, ApiFor>()

const isServer = typeof document === 'undefined'
/** A refusal that is over before the last try. */
const soonSeconds = 5
const worthRetrying = (error: unknown) =>
  isApiError(error) &&
  (error.status === 0 ||
    error.status >= 502 ||
    (error.status === 429 && (error.retryAfterSeconds ?? Number.POSITIVE_INFINITY) <= soonSeconds))

/** Makes the query cache: one per request on the server, one per tab in the browser. */
export const createQueryClient = (apiFor: ApiFor): QueryClient => {
  const client = new FreshQueryClient({
    defaultOptions: {
      queries: {
        staleTime: isServer ? Number.POSITIVE_INFINITY : 30_000,
        gcTime: isServer ? Number.POSITIVE_INFINITY : 10 * 60_000,
        retry: isServer ? false : (count, error) => count < 3 && worthRetrying(error),
        retryDelay: count => Math.min(1000 * 2 ** count, 15_000) * (0.75 + Math.random() / 2),
      },
    },
  })
  apis.attach(client, apiFor)
  return client
}

export const apiOf = (client: QueryClient): ApiFor => {
  const found = apis.of(client)
  if (!found) throw new Error('This query client was not made by createQueryClient')
  return found
}

/**
 * Sends the call. In the browser it does so in the next task: the parts of a page that hydrate together all start in
 * one task, and a phone needs milliseconds to send a request. On the server it sends at once.
 */
const ask = <N extends EndpointName>(...asked: Parameters<typeof askNow<N>>): Promise<EndpointReply<N>> =>
  isServer ? askNow(...asked) : nextTurn().then(() => askNow(...asked))

const askNow = <N extends EndpointName>(
  client: QueryClient,
  org: string | undefined,
  name: N,
  input: unknown,
  options: CallOptions,
) => {
  const [service, endpoint] = name.split('.') as [keyof ApiServices, string]
  const call = apiOf(client)(org)[service] as unknown as Record<
    string,
    (input: unknown, options: CallOptions) => Promise<EndpointReply<N>>
  >
  return (call[endpoint] as (typeof call)[string])(input, options)
}

/**
 * Returns the query for one endpoint's answer: pass it to `start` in loaders and to `useAnswer` in components.
 * @param org slug or id from the address (`params.org`); undefined for personal data
 */
export const queryFor = <N extends EndpointName>(org: string | undefined, name: N, input: EndpointInput<N>) =>
  queryOptions<EndpointReply<N>>({
    queryKey: keyFor(org, name, input),
    queryFn: ({ client, signal }) => ask(client, org, name, input, { signal }),
  })

/** The pages of a list under one key, for `start`, `useSuspensePages` and `usePages`. */
export const pagesFor = <N extends EndpointName, P>(
  org: string | undefined,
  name: N,
  input: EndpointInput<N>,
  paging: Paging<EndpointReply<N>, P>,
) => {
  type Page = EndpointReply<N>
  const queryKey = [...keyFor(org, name, input), 'pages'] as const
  const { query } = input as { query?: object }
  const listOf = (client: QueryClient): PagedList<Page, P> => ({
    queryKey,
    paging,
    ask: (page, signal) => {
      const asked = { ...(input as object), query: { ...query, ...paging.query(page) } }
      return ask(client, org, name, asked, { signal })
    },
  })
  return {
    ...queryOptions<InfiniteData<Page, P>, Error, InfiniteData<Page, P>, readonly unknown[]>({
      queryKey,
      // `settlePages` merges the result with pages that were loaded during the request.
      queryFn: ({ client, signal }) =>
        askAgain(client, listOf(client), signal) as unknown as Promise<InfiniteData<Page, P>>,
      structuralSharing: settlePages,
    }),
    listOf,
  }
}

/** The key of a query. Without `input`: the prefix of all answers of the endpoint, for invalidation. */
export const keyFor = <N extends EndpointName>(
  org: string | undefined,
  name: N,
  input?: EndpointInput<N>,
): readonly unknown[] => (input === undefined ? [org ?? '', name] : [org ?? '', name, input])

/**
 * A loader delays a page for answers by this much: on the server by about one SQLite query, in the browser by less than
 * people notice.
 */
const answerWithinMs = isServer ? 5 : 120

/** Most errors decide the whole page. A call that a product API does not answer shows its error in its own place. */
const decidesPage = (error: unknown): boolean => !(isApiError(error) && error.code.startsWith('UPSTREAM_'))

type Startable = { readonly queryKey: readonly unknown[] }

/**
 * Starts a page's queries and waits only for those that are answered at once; the rest arrives under `Suspense`. A
 * refusal in time decides the page: redirect to the login, not found, unauthorized. Returns null, so that a loader can
 * end with `return start(args, …)`.
 */
export async function start(args: LoaderFunctionArgs, ...queries: readonly Startable[]): Promise<null> {
  const client = args.context.get(queryClientContext)
  const refusals: unknown[] = []
  const pending: Promise<unknown>[] = []
  for (const query of queries) {
    const known = client.getQueryData(query.queryKey) !== undefined
    const running = client.fetchQuery(query as never).catch(error => {
      if (!known && decidesPage(error)) refusals.push(error)
    })
    if (!known) pending.push(running)
  }
  if (pending.length) await firstOf(Promise.all(pending), answerWithinMs)
  if (refusals.length) throw refusal(refusals[0], args.request)
  return null
}

/** Waits for a query without a limit: for data that decides the page, such as the viewer. */
export async function settle<T>(args: LoaderFunctionArgs, query: { queryKey: readonly unknown[] }): Promise<T> {
  try {
    return (await args.context.get(queryClientContext).ensureQueryData(query as never)) as T
  } catch (error) {
    throw refusal(error, args.request)
  }
}

const firstOf = async (work: Promise<unknown>, ms: number): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  await Promise.race([
    work,
    new Promise(resolve => {
      timer = setTimeout(resolve, ms)
    }),
  ])
  clearTimeout(timer)
}

import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** The query with this exact key. The cache's own `find` hashes and compares every key. */
export const queryAt = (client: QueryClient, queryKey: QueryKey): Query | undefined =>
  client.getQueryCache().get(hashKey(queryKey))

import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** What is kept under a whole key. The cache's own `find` makes the hash of each key there is, and compares. */
export const queryAt = (client: QueryClient, queryKey: QueryKey): Query | undefined =>
  client.getQueryCache().get(hashKey(queryKey))

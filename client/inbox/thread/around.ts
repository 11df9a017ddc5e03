import { type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useKnownAsRendered } from '#client/app/hydration/as-rendered.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import type { Message, MessagePage } from '#shared/inbox/messages.ts'
import { joinedWith } from './join-messages.ts'

const pageQuery = (org: string, phone: string, query: { around?: string; before?: string; after?: string }) =>
  queryFor(org, 'inbox.listMessages', { params: { phone }, query })

/** The page around a message. */
export const aroundQuery = (org: string, phone: string, id: string) => pageQuery(org, phone, { around: id })

type Side = 'before' | 'after'
const edgeOf = (page: MessagePage | undefined, side: Side) => page?.items.at(side === 'before' ? 0 : -1)?.id

interface ThreadPart {
  readonly messages: readonly Message[]
  /** True if the part reaches the newest message without a gap. */
  readonly isWhole: boolean
  readonly hasOlder: boolean
  readonly hasNewer: boolean
  readonly isLoadingOlder: boolean
  readonly isLoadingNewer: boolean
  readonly olderFailed: boolean
  readonly newerFailed: boolean
  loadOlder(): void
  loadNewer(): void
}

/** Each page begins where the one before currently ends, so that reloading leaves no gap. */
const pagesBeside = (
  client: QueryClient,
  { org, phone, base, count, side }: { org: string; phone: string; base: MessagePage; count: number; side: Side },
) => {
  const queries: ReturnType<typeof pageQuery>[] = []
  let cursor = edgeOf(base, side)
  while (cursor !== undefined && queries.length < count) {
    const query = pageQuery(org, phone, { [side]: cursor })
    queries.push(query)
    cursor = edgeOf(client.getQueryData<MessagePage>(query.queryKey), side)
  }
  return queries
}

/**
 * `part`: the thread around one message, which grows in both directions and joins the newest messages when it reaches
 * them. Without it the thread is shown from its end; `error`: the message could not be loaded.
 */
export function useAround(
  org: string,
  phone: string,
  id: string | undefined,
  newest: readonly Message[],
): { part?: ThreadPart; error?: Error } {
  const client = useQueryClient()
  const [wanted, setWanted] = useState({ id, before: 0, after: 0 })
  const { before, after } = wanted.id === id ? wanted : { before: 0, after: 0 }
  const query = aroundQuery(org, phone, id ?? '')
  const base = useQuery({ ...query, enabled: id !== undefined })
  const found = useKnownAsRendered(query.queryKey, base.data)
  const beside = (side: Side, count: number) =>
    id !== undefined && found ? pagesBeside(client, { org, phone, base: found, count, side }) : []
  const older = useQueries({ queries: beside('before', before) })
  const newer = useQueries({ queries: beside('after', after) })
  if (id === undefined) return {}
  if (base.isError) return { error: base.error }
  const pagesOf = (answers: typeof older) => answers.flatMap(({ data }) => data ?? [])
  const pages = [...pagesOf(older).reverse(), ...(found ? [found] : []), ...pagesOf(newer)]
  const { messages, isWhole } = joinedWith(
    pages.flatMap(page => page.items),
    newest,
  )
  const more = (answers: typeof older, side: Side) => () => {
    const last = answers.at(-1)
    if (last?.isError) void last.refetch()
    else if (!last?.isPending) setWanted({ id, before, after, [side]: answers.length + 1 })
  }
  const part = {
    messages,
    isWhole,
    hasOlder: pages[0]?.hasMore ?? true,
    hasNewer: !isWhole && (pages.at(-1)?.hasNewer ?? true),
    isLoadingOlder: base.isPending || older.some(answer => answer.isPending),
    isLoadingNewer: newer.some(answer => answer.isPending),
    olderFailed: older.at(-1)?.isError ?? false,
    loadOlder: more(older, 'before'),
    newerFailed: newer.at(-1)?.isError ?? false,
    loadNewer: more(newer, 'after'),
  }
  return { part }
}

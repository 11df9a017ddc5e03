import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { queryAt } from '#client/app/address/query-at.ts'
import { afterAnswer } from '#client/app/queries/fresh-query-client.ts'
import { outdateNextPage } from '#client/app/queries/paged-list.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { unreadQuery } from '#client/shell/sidebar/unread-count.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation, ConversationPage } from '#shared/inbox/conversations.ts'
import type { FoundPage } from '#shared/inbox/message-search.ts'
import type { Message, MessagePage } from '#shared/inbox/messages.ts'
import { belongsTo, comesBefore, type ListQuery } from './list/list-filter.ts'
import { type Conversations, conversationQuery, type Messages, messagesQuery } from './queries.ts'

/** An answer that was loading when an event arrived may be older than the event, so it is loaded again. */
const askAgainIfAsking = (client: QueryClient, queryKey: QueryKey): void => {
  outdateNextPage(client, queryKey)
  const query = queryAt(client, queryKey)
  if (query?.state.fetchStatus !== 'fetching') return
  afterAnswer(query, () => void client.invalidateQueries({ queryKey, exact: true }))
}

const countsAsUnread = (row: Conversation) => (row.unread > 0 && !row.archived ? 1 : 0)

/** Adjusts the count until it is reloaded, because only the server knows it. */
const countAlong = (client: QueryClient, org: string, before: Conversation, after: Conversation) => {
  const more = countsAsUnread(after) - countsAsUnread(before)
  if (more)
    client.setQueryData(
      unreadQuery(org).queryKey,
      counted => counted && { conversations: Math.max(0, counted.conversations + more) },
    )
}

const listQueryOf = (key: QueryKey): Partial<ListQuery> =>
  (key[2] as { query?: Partial<ListQuery> } | undefined)?.query ?? {}

/** A row in a list of unread ones that was just read stays, so that the reader keeps their place. */
const wasJustRead = (
  row: Conversation,
  { unread, ...query }: Partial<ListQuery>,
  was: Conversation | undefined,
): boolean => was !== undefined && unread === true && row.unread === 0 && belongsTo(row, query, was)

/** Search results keep their order. A conversation in them shows its new state. */
const changeFound = (client: QueryClient, org: string, row: Conversation) => {
  const newest = (other: Conversation) => (other.id === row.id ? row : other)
  for (const [key, data] of client.getQueriesData<InfiniteData<FoundPage, string>>({
    queryKey: keyFor(org, 'inbox.searchMessages'),
  })) {
    askAgainIfAsking(client, key)
    if (!data) continue
    const pages = data.pages.map(page => ({
      ...page,
      conversations: page.conversations.map(newest),
      items: page.items.map(found => ({ ...found, conversation: newest(found.conversation) })),
    }))
    client.setQueryData(key, { ...data, pages })
  }
}

/** Inserts a row by its last activity into every list it belongs to, and removes it from others. */
export function placeConversation(client: QueryClient, org: string, row: Conversation): void {
  const address = addressOfConversation(row)
  const known = findConversation(client, org, address)
  if (known?.id === row.id) countAlong(client, org, known, row)
  const { queryKey } = conversationQuery(org, address)
  askAgainIfAsking(client, queryKey)
  client.setQueryData(queryKey, row)
  changeFound(client, org, row)
  for (const [key, data] of client.getQueriesData<Conversations>({
    queryKey: keyFor(org, 'inbox.listConversations'),
  })) {
    askAgainIfAsking(client, key)
    if (!data) continue
    const query = listQueryOf(key)
    const was = data.pages.flatMap(page => page.items).find(other => other.id === row.id)
    if (query.search || wasJustRead(row, query, was)) {
      // Search results, and lists of unread rows being read, keep their order. A row in them shows its new state.
      client.setQueryData<Conversations>(
        key,
        mapRows(data, other => (other.id === row.id ? row : other)),
      )
      // It is reloaded when it is opened next.
      if (!query.search) void client.invalidateQueries({ queryKey: key, exact: true, refetchType: 'none' })
      continue
    }
    const rest = data.pages.map(page => ({ ...page, items: page.items.filter(other => other.id !== row.id) }))
    client.setQueryData<Conversations>(key, {
      ...data,
      pages: belongsTo(row, query, was) ? insertRow(rest, { row, was }, query) : rest,
    })
  }
}

/** A loaded row. Undefined: no list or chat has it. */
export function findConversation(client: QueryClient, org: string, address: string): Conversation | undefined {
  const open = client.getQueryData<Conversation>(conversationQuery(org, address).queryKey)
  if (open) return open
  for (const [, data] of client.getQueriesData<Conversations>({ queryKey: keyFor(org, 'inbox.listConversations') }))
    for (const page of data?.pages ?? []) {
      const found = page.items.find(row => addressOfConversation(row) === address)
      if (found) return found
    }
  return undefined
}

const mapRows = (data: Conversations, change: (row: Conversation) => Conversation): Conversations => ({
  ...data,
  pages: data.pages.map(page => ({ ...page, items: page.items.map(change) })),
})

/**
 * Into the first page with a later row. At the very end if everything is loaded, or if the row was there and has not
 * moved back: rows that are not loaded may stand before one that has.
 */
const insertRow = (
  pages: ConversationPage[],
  { row, was }: { row: Conversation; was: Conversation | undefined },
  query: Partial<ListQuery>,
): ConversationPage[] => {
  const target = pages.findIndex(page => page.items.some(other => comesBefore(row, other, query)))
  const lastPage = pages.length - 1
  const mayEnd = !pages[lastPage]?.hasMore || (was !== undefined && !comesBefore(was, row, query))
  const index = target >= 0 ? target : mayEnd ? lastPage : -1
  if (index < 0) return pages
  return pages.map((page, i) => {
    if (i !== index) return page
    const before = page.items.findIndex(other => comesBefore(row, other, query))
    const items = [...page.items]
    items.splice(before < 0 ? items.length : before, 0, row)
    return { ...page, items }
  })
}

const sameMessage = (a: Message, b: Message) =>
  a.id === b.id || (a.clientKey !== undefined && a.clientKey === b.clientKey)

const changeWhere = (
  items: Message[],
  isMeant: (message: Message) => boolean,
  change: (message: Message) => Message,
) => (items.some(isMeant) ? items.map(other => (isMeant(other) ? change(other) : other)) : items)

/** Changes a message in the pages around a search result. */
const changeAround = (
  client: QueryClient,
  org: string,
  isMeant: (message: Message) => boolean,
  change: (message: Message) => Message,
): void => {
  for (const [key, data] of client.getQueriesData<Messages | MessagePage>({
    queryKey: keyFor(org, 'inbox.listMessages'),
  })) {
    if (data && 'pages' in data) continue
    askAgainIfAsking(client, key)
    if (data) client.setQueryData<MessagePage>(key, { ...data, items: changeWhere(data.items, isMeant, change) })
  }
}

/** Into the newest page with an older message. Undefined: older than everything loaded, and more can be loaded. */
const insertMessage = (pages: MessagePage[], message: Message): MessagePage[] | undefined => {
  const isOlder = (other: Message) => other.at <= message.at
  const found = pages.findIndex(page => page.items.some(isOlder))
  if (found < 0 && pages.at(-1)?.hasMore) return undefined
  const target = found < 0 ? pages.length - 1 : found
  return pages.map((page, i) => {
    if (i !== target) return page
    const items = [...page.items]
    items.splice(items.findLastIndex(isOlder) + 1, 0, message)
    return { ...page, items }
  })
}

/**
 * Inserts a message by time, or replaces it. Does nothing for a chat that is not loaded, or a message of a later page.
 */
export function placeMessage(client: QueryClient, org: string, phone: string, message: Message): void {
  const { queryKey } = messagesQuery(org, phone)
  const isSame = (other: Message) => sameMessage(other, message)
  changeAround(client, org, isSame, () => message)
  askAgainIfAsking(client, queryKey)
  client.setQueryData<Messages>(queryKey, data => {
    if (!data?.pages.length) return data
    const isKnown = data.pages.some(page => page.items.some(isSame))
    const pages = isKnown
      ? data.pages.map(page => ({ ...page, items: changeWhere(page.items, isSame, () => message) }))
      : insertMessage(data.pages, message)
    return pages ? { ...data, pages } : data
  })
}

/** Adds the answer to a send. Events may have newer data, so it never replaces a known message. */
export function placeSentMessage(client: QueryClient, org: string, phone: string, message: Message): void {
  const data = client.getQueryData<Messages>(messagesQuery(org, phone).queryKey)
  const isKnown = data?.pages.some(page => page.items.some(({ id }) => id === message.id))
  if (!isKnown) placeMessage(client, org, phone, message)
}

/** Changes one message wherever it is loaded. */
export function changeMessage(
  client: QueryClient,
  org: string,
  phone: string,
  id: string,
  change: (message: Message) => Message,
): void {
  const { queryKey } = messagesQuery(org, phone)
  const isMeant = (other: Message) => other.id === id
  changeAround(client, org, isMeant, change)
  askAgainIfAsking(client, queryKey)
  client.setQueryData<Messages>(
    queryKey,
    data =>
      data && {
        ...data,
        pages: data.pages.map(page => ({ ...page, items: changeWhere(page.items, isMeant, change) })),
      },
  )
}

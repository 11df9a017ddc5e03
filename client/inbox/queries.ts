import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { afterAnswer } from '#client/app/fresh-query-client.ts'
import { numberedRows, outdateNextPage, refreshPages, trimPages } from '#client/app/paged-list.ts'
import { keyFor, pagesFor, queryFor } from '#client/app/queries.ts'
import { queryAt } from '#client/app/query-at.ts'
import { unreadQuery } from '#client/shell/unread-count.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation, ConversationPage } from '#shared/inbox/conversations.ts'
import type { FoundMessage, FoundPage } from '#shared/inbox/message-search.ts'
import type { Message, MessagePage } from '#shared/inbox/messages.ts'
import { belongsTo, comesBefore, type ListFilter, type ListQuery, queryOf } from './list/list-filter.ts'

/** `userId`: the reader's, for what is their own. */
export const conversationsQuery = (org: string, filter: ListFilter, userId: string) =>
  pagesFor(
    org,
    'inbox.listConversations',
    { query: queryOf(filter, userId) },
    {
      first: 1,
      next: last => (last.hasMore ? last.page + 1 : undefined),
      query: page => ({ page }),
      ...numberedRows,
    },
  )

/** By the address of a chat. @see addressOfConversation */
export const conversationQuery = (org: string, phone: string) =>
  queryFor(org, 'inbox.getConversation', { params: { phone } })

/** Whose the chat at an address is. */
export const contactQuery = (org: string, phone: string) => queryFor(org, 'contacts.getContact', { params: { phone } })

/** Pages from the newest backwards; each next one ends just before the oldest message known. */
export const messagesQuery = (org: string, phone: string) =>
  pagesFor(
    org,
    'inbox.listMessages',
    { params: { phone }, query: {} },
    {
      first: '',
      next: last => (last.hasMore ? last.items[0]?.id : undefined),
      query: before => (before ? { before } : {}),
      rows: page => page.items.toReversed(),
      keyOf: (message: Message) => message.id,
      join: (_near, far, rows) => ({ ...far, items: rows.toReversed() }),
    },
  )

/** Everything ever said that has these words, and who is called so; `within`: in that chat alone. */
export const foundQuery = (org: string, words: string, within?: string) =>
  pagesFor(
    org,
    'inbox.searchMessages',
    { query: { q: words, ...(within ? { phone: within } : {}) } },
    {
      first: '',
      next: last => (last.hasMore ? last.items.at(-1)?.id : undefined),
      query: before => (before ? { before } : {}),
      rows: page => page.items,
      keyOf: (message: FoundMessage) => message.id,
      join: (near, far, rows) => ({ ...far, conversations: near.conversations, items: [...rows] }),
    },
  )

type Conversations = InfiniteData<ConversationPage, number>
type Messages = InfiniteData<MessagePage, string>

/** Rows of all pages without the doubles that moving rows leave between numbered pages. */
export const flatConversations = (data: Conversations): Conversation[] => {
  const seen = new Set<string>()
  return data.pages.flatMap(page => page.items).filter(row => !seen.has(row.id) && seen.add(row.id))
}

/** Messages of all pages, oldest first. */
export const flatMessages = (data: Messages): Message[] => {
  const seen = new Set<string>()
  return data.pages
    .toReversed()
    .flatMap(page => page.items)
    .filter(message => !seen.has(message.id) && seen.add(message.id))
}

/** An answer that was on its way when an event came may be older than the event: it is asked again once it is there. */
const askAgainIfAsking = (client: QueryClient, queryKey: QueryKey): void => {
  outdateNextPage(client, queryKey)
  const query = queryAt(client, queryKey)
  if (query?.state.fetchStatus !== 'fetching') return
  afterAnswer(query, () => void client.invalidateQueries({ queryKey, exact: true }))
}

/** How many conversations each part of the list has; of one of our numbers where that is asked for. */
export const lanesQuery = (org: string, number?: string) =>
  queryFor(org, 'inbox.countLanes', { query: number === undefined ? {} : { number } })

const countsAsUnread = (row: Conversation) => (row.unread > 0 && !row.archived ? 1 : 0)

/** Until the count is asked for again, which only the server knows. */
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

/** Stands in a list of what is unread and only for that does not belong to it any more: whoever reads it keeps it. */
const wasJustRead = (
  row: Conversation,
  { unread, ...query }: Partial<ListQuery>,
  was: Conversation | undefined,
): boolean => was !== undefined && unread === true && row.unread === 0 && belongsTo(row, query, was)

/** What a search found keeps its order; a conversation in it shows its new state. */
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

/** Puts a row where its last activity says, in every list it belongs to; takes it out of the others. */
export function placeConversation(client: QueryClient, org: string, row: Conversation): void {
  const address = addressOfConversation(row)
  const known = findConversation(client, org, address)
  if (known?.id === row.id) countAlong(client, org, known, row)
  client.setQueryData(conversationQuery(org, address).queryKey, row)
  changeFound(client, org, row)
  for (const [key, data] of client.getQueriesData<Conversations>({
    queryKey: keyFor(org, 'inbox.listConversations'),
  })) {
    askAgainIfAsking(client, key)
    if (!data) continue
    const query = listQueryOf(key)
    const was = data.pages.flatMap(page => page.items).find(other => other.id === row.id)
    if (query.search || wasJustRead(row, query, was)) {
      // A search keeps its order, and who reads what is unread their place; a row that is there shows its new state.
      client.setQueryData<Conversations>(
        key,
        mapRows(data, other => (other.id === row.id ? row : other)),
      )
      // It is asked anew when it is opened next.
      if (!query.search) void client.invalidateQueries({ queryKey: key, exact: true, refetchType: 'none' })
      continue
    }
    const rest = data.pages.map(page => ({ ...page, items: page.items.filter(other => other.id !== row.id) }))
    client.setQueryData<Conversations>(key, {
      ...data,
      pages: belongsTo(row, query, was) ? insertRow(rest, row, query) : rest,
    })
  }
}

/** A row that some list or chat on this page has; undefined when none has it. */
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

/** Into the first page that has something older, else at the very end if everything has been loaded. */
const insertRow = (pages: ConversationPage[], row: Conversation, query: Partial<ListQuery>): ConversationPage[] => {
  const target = pages.findIndex(page => page.items.some(other => comesBefore(row, other, query)))
  const lastPage = pages.length - 1
  const index = target >= 0 ? target : pages[lastPage]?.hasMore ? -1 : lastPage
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

/** Changes a message in the pages around one that a search led to. */
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

/** Into the newest page that has something older. Undefined: it is older than all that is loaded, and more is to be loaded. */
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
 * Adds a message at its place in time, or replaces it; does nothing for a chat nobody has opened here, and for a message
 * that comes with older pages.
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

/** The answer to a send: events may have told more of the message by now, so it never replaces what is known. */
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

const liveQueries = [
  'inbox.listConversations',
  'inbox.getConversation',
  'inbox.listMessages',
  'inbox.countUnread',
  'inbox.countLanes',
  'inbox.searchMessages',
  'contacts.getContact',
] as const

/** After events were missed: what is on screen is asked again, the rest when it is opened. */
export function refreshInbox(client: QueryClient, org: string): void {
  for (const name of liveQueries) refreshPages(client, keyFor(org, name))
}

/** What is not on screen goes at once: some of it may not be seen any more. */
export function dropInbox(client: QueryClient, org: string): void {
  for (const name of liveQueries) client.removeQueries({ queryKey: keyFor(org, name), type: 'inactive' })
}

/** What has not left yet may wait longer than the chats that are loaded say; why and how long, only the server knows. */
export function refreshWaiting(client: QueryClient, org: string): void {
  for (const [key, data] of client.getQueriesData<Messages | MessagePage>({
    queryKey: keyFor(org, 'inbox.listMessages'),
  })) {
    const messages = data && ('pages' in data ? flatMessages(data) : data.items)
    if (messages?.some(message => message.status === 'queued')) refreshPages(client, key)
  }
}

/** Events will be missed: everything is asked again when it is opened next. */
export function forgetInbox(client: QueryClient, org: string): void {
  for (const name of liveQueries) {
    trimPages(client, keyFor(org, name))
    void client.invalidateQueries({ queryKey: keyFor(org, name), refetchType: 'none' })
  }
}

/** Contacts became one, or two: whatever shows them is asked again; conversations and threads follow their events. */
export async function seeMerged(client: QueryClient, org: string): Promise<void> {
  const names = ['contacts.getContact', 'contacts.listContacts', 'contactMerges.listMerges'] as const
  await Promise.all(names.map(name => client.invalidateQueries({ queryKey: keyFor(org, name) })))
}

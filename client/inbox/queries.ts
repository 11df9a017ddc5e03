import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { numberedRows, refreshPages, trimPages } from '#client/app/queries/paged-list.ts'
import { keyFor, pagesFor, queryFor } from '#client/app/queries/queries.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation, ConversationPage } from '#shared/inbox/conversations.ts'
import type { FoundMessage } from '#shared/inbox/message-search.ts'
import type { Message, MessagePage } from '#shared/inbox/messages.ts'
import { type ListFilter, queryOf } from './list/list-filter.ts'

/** `userId`: the reader's, for their own conversations. */
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

/** The conversation by the chat's address. @see addressOfConversation */
export const conversationQuery = (org: string, phone: string) =>
  queryFor(org, 'inbox.getConversation', { params: { phone } })

/** The flow that answers in a chat. */
export const attendingQuery = (org: string, conversation: Conversation) =>
  queryFor(org, 'flows.attending', { params: { phone: addressOfConversation(conversation) } })

/**
 * Lists what is read for the bar above a chat. The bar has to be there as early as the messages, because it would push
 * them down later. Empty if the bot does not control the chat.
 */
export const controlQueries = (org: string, conversation: Conversation | undefined) =>
  conversation?.control === 'bot' && !conversation.group ? [attendingQuery(org, conversation)] : []

/** The contact of a chat. */
export const contactQuery = (org: string, phone: string) => queryFor(org, 'contacts.getContact', { params: { phone } })

/** Pages from the newest message backwards. Each further page ends before the oldest known message. */
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

/** Messages with these words, and conversations by name. `within`: in one chat only. */
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

/** The number of conversations in each part of the list; optionally of one of our numbers. */
export const listPartsQuery = (org: string, number?: string) =>
  queryFor(org, 'inbox.countLanes', { query: number === undefined ? {} : { number } })

export type Conversations = InfiniteData<ConversationPage, number>
export type Messages = InfiniteData<MessagePage, string>

/** Rows of all pages, without duplicates from rows that moved between numbered pages. */
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

const liveQueries = [
  'inbox.listConversations',
  'inbox.getConversation',
  'inbox.listMessages',
  'inbox.countUnread',
  'inbox.countLanes',
  'savedViews.countViews',
  'inbox.searchMessages',
  'contacts.getContact',
] as const

/** After missed events: reloads what is visible, the rest when it is opened. */
export function refreshInbox(client: QueryClient, org: string): void {
  for (const name of liveQueries) refreshPages(client, keyFor(org, name))
}

/** Removes what is not visible at once, because some of it may no longer be seen. */
export function dropInbox(client: QueryClient, org: string): void {
  for (const name of liveQueries) client.removeQueries({ queryKey: keyFor(org, name), type: 'inactive' })
}

/** Queued messages may wait longer than loaded; only the server knows why and how long. */
export function refreshWaiting(client: QueryClient, org: string): void {
  for (const [key, data] of client.getQueriesData<Messages | MessagePage>({
    queryKey: keyFor(org, 'inbox.listMessages'),
  })) {
    const messages = data && ('pages' in data ? flatMessages(data) : data.items)
    if (messages?.some(message => message.status === 'queued')) refreshPages(client, key)
  }
}

/** Events will be missed: everything is reloaded when it is opened next. */
export function forgetInbox(client: QueryClient, org: string): void {
  for (const name of liveQueries) {
    trimPages(client, keyFor(org, name))
    void client.invalidateQueries({ queryKey: keyFor(org, name), refetchType: 'none' })
  }
}

/** Contacts were merged or separated: reloads what shows them. Conversations and threads follow their own events. */
export async function seeMerged(client: QueryClient, org: string): Promise<void> {
  const names = ['contacts.getContact', 'contacts.listContacts', 'contactMerges.listMerges'] as const
  await Promise.all(names.map(name => client.invalidateQueries({ queryKey: keyFor(org, name) })))
}

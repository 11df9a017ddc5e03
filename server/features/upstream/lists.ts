import { narrowsConversations, narrowsMessages, parseSearch } from '#server/messaging/search/query.ts'
import type { Services } from '#server/platform/wiring/feature.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { inboxCalls } from './calls.ts'
import type { createChats, InboxParts } from './chats.ts'
import { isTrouble, orOwn } from './outcomes.ts'
import type { UpstreamCaller } from './token.ts'

/** Filters by what only we know. */
const ownFilters = [
  ...(['tag', 'number', 'unread', 'needsHuman', 'metaAgent', 'failed', 'closing', 'assignee'] as const),
  ...(['waiting', 'overdue', 'snoozed'] as const),
]

/** Only our rows can answer such a search: the upstream would read its operators as words. */
const isOurs = (search: string | undefined): boolean => {
  const parsed = parseSearch(search ?? '')
  return narrowsConversations(parsed) || narrowsMessages(parsed) || parsed.without.length > 0
}

/** Such a list comes from our rows, not from the upstream. */
const isOwnList = (query: { search?: string } & Partial<Record<(typeof ownFilters)[number], unknown>>): boolean =>
  isOurs(query.search) || ownFilters.some(name => query[name] !== undefined)

/** The most pages and time to select all matching conversations of the upstream. */
const matchingAtMost = { pages: 40, ms: 10_000 }

/** The lists of conversations: of the upstream where it can answer, else of our rows. */
export function createLists(
  { client, mirror, own, clock }: InboxParts,
  { isLimited, askPage }: Pick<ReturnType<typeof createChats>, 'isLimited' | 'askPage'>,
) {
  return {
    async listConversations(
      caller: UpstreamCaller,
      { query }: { query: Parameters<Services['inbox']['listConversations']>[1]['query'] },
    ) {
      if (isLimited(caller) || isOwnList(query)) return own.inbox.listConversations(caller, { query })
      const { page, search, archived } = query
      const ask = async () => {
        const answer = await askPage(caller, { page, archived, ...(search ? { search } : {}) })
        return { ...answer, items: await mirror.take(caller, answer.items) }
      }
      const listOwn = async () => own.inbox.listConversations(caller, { query })
      try {
        return await orOwn(ask(), listOwn)
      } catch (error) {
        // A list that is known to be old is better than none; that of a thread would not be, because people answer in it.
        const known = isTrouble(error) ? await listOwn() : undefined
        if (!known?.items.length) throw error
        return { ...known, stale: true }
      }
    },

    /**
     * Lists matching conversations of the upstream page by page, because it has no such call. Returns only the first
     * ones if there are many, or if it is slow.
     */
    async listMatching(
      caller: UpstreamCaller,
      { query }: { query: Parameters<Services['inbox']['listMatching']>[1]['query'] },
    ) {
      if (isLimited(caller) || isOwnList(query)) return own.inbox.listMatching(caller, { query })
      const { search, archived } = query
      const found = new Map<string, Conversation>()
      const until = clock.now().getTime() + matchingAtMost.ms
      for (let page = 1; page <= matchingAtMost.pages && clock.now().getTime() < until; page += 1) {
        const answer = await askPage(caller, { page, archived, ...(search ? { search } : {}) })
        for (const row of await mirror.take(caller, answer.items)) found.set(row.id, row)
        if (!answer.hasMore) return { items: [...found.values()], hasMore: false }
      }
      return { items: [...found.values()], hasMore: true }
    },

    async listAllConversations(
      caller: UpstreamCaller,
      { query }: { query: Parameters<Services['inbox']['listAllConversations']>[1]['query'] },
    ) {
      const known = await own.inbox.listAllConversations(caller, { query })
      if (isLimited(caller) || query.tag || isOurs(query.search)) return known
      const { search, archived } = query
      const asked = { ...(search ? { search } : {}), ...(archived === undefined ? {} : { archived }) }
      const theirs = client.ask(inboxCalls.allConversations, caller, { query: asked }) as Promise<typeof known>
      const answer = await orOwn(theirs, () => known)
      const ours = new Map(known.items.map(item => [phoneKey(item.phone), item]))
      const items = answer.items.map(item => {
        const here = ours.get(phoneKey(item.phone))
        return here ? { ...item, id: here.id, tags: here.tags } : item
      })
      return { ...answer, items }
    },
  }
}

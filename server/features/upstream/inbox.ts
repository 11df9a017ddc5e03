import { narrowsConversations, narrowsMessages, parseSearch } from '#server/messaging/search/query.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Services } from '#server/platform/wiring/feature.ts'
import type { Message, MessagePage } from '#shared/inbox/messages.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { fold } from '#shared/kernel/fold.ts'
import { createManyChanges } from './archiving.ts'
import { inboxCalls } from './calls.ts'
import { createChats, type InboxParts } from './chats.ts'
import { createLists } from './lists.ts'
import { orOwn } from './outcomes.ts'
import { createThreads, type Stretch } from './thread.ts'
import type { UpstreamCaller } from './token.ts'

/** Pages of our notes and activity lines that are laid into one page of a thread. */
const maxNotePages = 4

/**
 * Returns the search for the upstream. Tags are ours: it gets the words, and its answers are narrowed here. Of the
 * other operators it knows open and archived only; a search with any other is ours alone: undefined.
 */
const askedOfUpstream = (typed: string) => {
  const parsed = parseSearch(typed)
  const { words, without, tags, archived = false } = parsed
  if (narrowsMessages(parsed) || without.length) return undefined
  if (!narrowsConversations(parsed)) return { search: typed, archived, tags }
  return words ? { search: words, archived, tags: tags.map(fold) } : undefined
}

/** The inbox in front of an upstream: its conversations and messages, with our tags, notes, assignees and unread counts. */
export function createUpstreamInbox(parts: InboxParts) {
  const { client, mirror, writes, own } = parts
  const threads = createThreads()

  const { isLimited, askPage, phoneOf, show, refresh, ownRowOf, ensure } = createChats(parts)

  /** A person who answers has the chat: it waits for nobody any more. Whose it is stays. */
  const takeOver = async (caller: UpstreamCaller, phone: string): Promise<void> => {
    const row = caller.kind === 'person' ? await ownRowOf(caller, phone) : undefined
    if (row && row.control !== 'human')
      await own.inbox.controlChat(caller, { params: { phone }, body: { owner: 'human', assigneeId: null } })
  }

  /** Our notes and activity lines of a stretch of a thread, oldest first. */
  const notesOf = async (caller: UpstreamCaller, phone: string, { from, until }: Stretch): Promise<Message[]> => {
    const found: Message[] = []
    for (let page = 1; page <= maxNotePages; page += 1) {
      const { items, hasMore } = await own.inbox.listMessages(caller, { params: { phone }, query: { page } })
      found.unshift(...items)
      if (!hasMore || (from !== undefined && (items[0]?.at ?? '') < from)) break
    }
    return found.filter(
      ({ direction, at }) =>
        direction === 'internal' && (from === undefined || at >= from) && (until === undefined || at < until),
    )
  }

  const byTime = (a: Message, b: Message) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)

  return {
    ensure,
    refresh,

    ...createLists(parts, { isLimited, askPage }),

    getConversation: (caller: UpstreamCaller, { params }: { params: { phone: string } }) => show(caller, params.phone),

    async getChatName(caller: UpstreamCaller, { params }: { params: { phone: string } }) {
      if (isLimited(caller)) return own.inbox.getChatName(caller, { params })
      const phone = await phoneOf(caller, params.phone)
      const named = client.ask(inboxCalls.chatName, caller, { params: { phone } })
      return orOwn<unknown>(named, () => own.inbox.getChatName(caller, { params }))
    },

    async listMessages(
      caller: UpstreamCaller,
      {
        params,
        query,
      }: { params: { phone: string }; query: Parameters<Services['inbox']['listMessages']>[1]['query'] },
    ) {
      await ensure(caller, params.phone)
      const phone = await phoneOf(caller, params.phone)
      const read = async (page: number) =>
        (await client.ask(inboxCalls.messages, caller, { params: { phone }, query: { page } })) as MessagePage
      const stretch = await threads.read(`${caller.orgId} ${phone}`, query, read)
      const notes = await notesOf(caller, phone, stretch)
      const { from: _from, until: _until, ...page } = stretch
      return { ...page, items: [...page.items, ...notes].sort(byTime) }
    },

    /** Conversations that the upstream finds, and notes and conversations that we do. */
    async searchMessages(
      caller: UpstreamCaller,
      { query }: { query: Parameters<Services['inbox']['searchMessages']>[1]['query'] },
    ) {
      if (query.phone !== undefined) await ensure(caller, query.phone)
      if (isLimited(caller) || query.before !== undefined || query.phone !== undefined)
        return own.inbox.searchMessages(caller, { query })
      const asked = askedOfUpstream(query.q)
      const findTheirs = async ({ search, archived, tags }: NonNullable<typeof asked>) => {
        const { items } = await askPage(caller, { page: 1, search, archived })
        const rows = await mirror.take(caller, items)
        return rows.filter(row => tags.every(tag => row.tags.some(({ label }) => fold(label).startsWith(tag))))
      }
      const [ours, theirs] = await Promise.all([
        own.inbox.searchMessages(caller, { query }),
        asked ? orOwn(findTheirs(asked), () => []) : [],
      ])
      const known = new Set(theirs.map(({ id }) => id))
      return { ...ours, conversations: [...theirs, ...ours.conversations.filter(({ id }) => !known.has(id))] }
    },

    async sendMessage(
      caller: UpstreamCaller,
      input: { body: Record<string, unknown> & { numberTel: string }; file?: ReceivedFile },
    ) {
      const { body, file } = input
      if (isLimited(caller)) await own.inbox.getChatName(caller, { params: { phone: body.numberTel } })
      const phone = await phoneOf(caller, body.numberTel)
      const sent = { ...body, numberTel: phone }
      const message = (await client.ask(inboxCalls.send, caller, { body: sent, ...(file ? { file } : {}) })) as Message
      const kept = typeof body.clientKey === 'string' ? { ...message, clientKey: body.clientKey } : message
      await writes.run(caller.orgId, actorOf(caller), write =>
        mirror.takeMessage(write, phone, kept, { isUnread: false }),
      )
      await takeOver(caller, phone)
      return kept
    },

    async archiveChat(caller: UpstreamCaller, { body }: { body: { phoneNumber: string; archived?: boolean } }) {
      await ensure(caller, body.phoneNumber)
      const phoneNumber = await phoneOf(caller, body.phoneNumber)
      await client.ask(inboxCalls.archive, caller, { body: { ...body, phoneNumber } })
      return own.inbox.archiveChat(caller, { body })
    },

    changeChats: createManyChanges({ client, own, ownRowOf }),

    /** An upstream has no such call; nobody is told that somebody writes. */
    showTyping: async () => ({ success: false }),

    async setContentPermission(
      caller: UpstreamCaller,
      { body }: { body: Parameters<Services['visibility']['setContentPermission']>[1]['body'] },
    ) {
      const { role, phoneTagId } = body
      const { items } = await own.visibility.listAssignedTags(caller, { query: { role } })
      const granted = body.granted ?? !items.some(({ tagId }) => tagId === phoneTagId)
      // Tags are ours. An upstream that knows nothing of roles need not be told.
      await orOwn(client.ask(inboxCalls.grant, caller, { body: { role, phoneTagId, granted } }), () => undefined)
      return own.visibility.setContentPermission(caller, { body: { role, phoneTagId, granted } })
    },
  }
}

export type UpstreamInbox = ReturnType<typeof createUpstreamInbox>

import { inboxErrors } from '#server/messaging/errors.ts'
import type { Mirror } from '#server/messaging/mirrored/mirror.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Services } from '#server/platform/wiring/feature.ts'
import type { Conversation, ConversationPage } from '#shared/inbox/conversations.ts'
import type { Message, MessagePage } from '#shared/inbox/messages.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { digitsOf, isPhoneDigits, phoneKey } from '#shared/kernel/phone.ts'
import { createManyChanges } from './archiving.ts'
import { inboxCalls } from './calls.ts'
import type { UpstreamClient } from './client.ts'
import type { Input } from './requests.ts'
import { createThreads, type Stretch } from './thread.ts'
import type { UpstreamCaller } from './token.ts'

interface InboxParts {
  readonly client: Pick<UpstreamClient, 'ask'>
  readonly mirror: Mirror
  readonly writes: Pick<Writes, 'run'>
  /** The inbox of our own database, which has notes, tags, assignees and drafts. */
  readonly own: Services
}

/** Filters by what only we know. Such a list comes from our rows, not from the upstream. */
const ownFilters = ['tag', 'number', 'unread', 'needsHuman', 'metaAgent', 'failed', 'closing', 'assignee'] as const

const isStatus = (error: unknown, status: number) => error instanceof AppError && error.status === status

/** The upstream cannot say. */
const isTrouble = (error: unknown) => error instanceof AppError && error.status >= 500

const isNotServed = (error: unknown) => error instanceof AppError && error.code === 'UPSTREAM_NOT_OFFERED'

/** What the upstream answers, or else what we know of it, where it does not serve the call. */
export const orOwn = async <T>(asked: Promise<T>, own: () => T | Promise<T>): Promise<T> => {
  try {
    return await asked
  } catch (error) {
    if (isNotServed(error)) return own()
    throw error
  }
}

/** Pages of our notes and activity lines that are laid into one page of a thread. */
const maxNotePages = 4

/** The inbox in front of an upstream: its conversations and messages, with our tags, notes, assignees and unread counts. */
export function createUpstreamInbox({ client, mirror, writes, own }: InboxParts) {
  const threads = createThreads()

  /** Members who see only a part of the inbox see what our rows admit; an upstream knows nothing of it. */
  const isLimited = ({ scope }: UpstreamCaller) => scope.kind !== 'all'

  const askPage = async (caller: UpstreamCaller, query: Input['query']) =>
    (await client.ask(inboxCalls.conversations, caller, query ? { query } : {})) as ConversationPage

  /** What the upstream says about one number, open or archived. @throws INBOX_CHAT_NOT_FOUND */
  const fetchConversation = async (caller: UpstreamCaller, phone: string): Promise<Conversation> => {
    const key = phoneKey(phone)
    const nobody = () => ({ items: [] }) as unknown as ConversationPage
    const [open, archived] = await Promise.all([
      orOwn(askPage(caller, { search: phone, page: 1, archived: false }), nobody),
      orOwn(askPage(caller, { search: phone, page: 1, archived: true }), nobody),
    ])
    const found = [...open.items, ...archived.items].find(one => phoneKey(one.phone) === key)
    if (found) return found
    // One without messages may be in no list.
    const named = await askName(caller, phone)
    const nothing = { lastMessage: null, unread: 0, archived: false, windowClosesAt: null, control: 'bot' }
    return { phone, name: named.name, ...nothing } as Conversation
  }

  /** @throws INBOX_CHAT_NOT_FOUND */
  const askName = async (caller: UpstreamCaller, phone: string): Promise<{ name: string }> => {
    try {
      return (await client.ask(inboxCalls.chatName, caller, { params: { phone } })) as { name: string }
    } catch (error) {
      throw isStatus(error, 404) ? inboxErrors.CHAT_NOT_FOUND() : error
    }
  }

  /** The number behind an address of a chat; our ids of conversations are known here only. */
  const phoneOf = async (caller: UpstreamCaller, address: string): Promise<string> => {
    const digits = digitsOf(address)
    if (isPhoneDigits(digits) && !/[a-z]/i.test(address)) return digits
    return (await own.inbox.getConversation(caller, { params: { phone: address } })).phone
  }

  const show = async (caller: UpstreamCaller, address: string): Promise<Conversation> => {
    if (isLimited(caller)) await own.inbox.getConversation(caller, { params: { phone: address } })
    const phone = await phoneOf(caller, address)
    const [shown] = await mirror.take(caller, [await fetchConversation(caller, phone)])
    if (!shown) throw inboxErrors.CHAT_NOT_FOUND()
    return shown
  }

  /** Undefined: there is no such row, or the caller does not see it. */
  const ownRowOf = async (caller: UpstreamCaller, address: string): Promise<Conversation | undefined> => {
    try {
      return await own.inbox.getConversation(caller, { params: { phone: address } })
    } catch (error) {
      if (isStatus(error, 404)) return undefined
      throw error
    }
  }

  /** A person who answers has the chat: it waits for nobody any more. Whose it is stays. */
  const takeOver = async (caller: UpstreamCaller, phone: string): Promise<void> => {
    const row = caller.kind === 'person' ? await ownRowOf(caller, phone) : undefined
    if (row && row.control !== 'human')
      await own.inbox.controlChat(caller, { params: { phone }, body: { owner: 'human', assigneeId: null } })
  }

  /** Makes sure that a chat has its row here, on which notes and drafts hang. */
  const ensure = async (caller: UpstreamCaller, address: string): Promise<void> => {
    try {
      await own.inbox.getChatName(caller, { params: { phone: address } })
    } catch (error) {
      if (!isStatus(error, 404) || isLimited(caller)) throw error
      await show(caller, address)
    }
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

    async listConversations(
      caller: UpstreamCaller,
      { query }: { query: Parameters<Services['inbox']['listConversations']>[1]['query'] },
    ) {
      if (isLimited(caller) || ownFilters.some(name => query[name] !== undefined))
        return own.inbox.listConversations(caller, { query })
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

    async listAllConversations(
      caller: UpstreamCaller,
      { query }: { query: Parameters<Services['inbox']['listAllConversations']>[1]['query'] },
    ) {
      const known = await own.inbox.listAllConversations(caller, { query })
      if (isLimited(caller) || query.tag) return known
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
      const [ours, theirs] = await Promise.all([
        own.inbox.searchMessages(caller, { query }),
        orOwn(
          askPage(caller, { page: 1, search: query.q, archived: false }).then(({ items }) =>
            mirror.take(caller, items),
          ),
          () => [],
        ),
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

import type { ServiceOf } from '#shared/contract.ts'
import type { Conversation, inboxApi } from '#shared/inbox.ts'
import { conversationsPerPage, customerWindowMs, messagesPerPage } from '#shared/limits.ts'
import type { Member } from '../actor.ts'
import type { Clock } from '../clock.ts'
import { type Databases, type Db, inTransaction } from '../db.ts'
import type { ServerI18n } from '../i18n.ts'
import type { EventDraft, LiveLog } from '../live/hub.ts'
import { InvalidInput } from '../validate.ts'
import { inboxErrors } from './errors.ts'
import { failureTextFor } from './failure.ts'
import { addressOf, identifierOfAddress } from './identifier.ts'
import { type ListRow, tagsOf } from './list-row.ts'
import { quotesOf, reactionsOf } from './message-store.ts'
import { nameOf, presentConversation, presentMessage } from './present.ts'
import { updateConversation } from './send-store.ts'
import { type SendParts, sendAgain, sendText } from './sending.ts'
import { findConversation, findConversationId, findPlace, listConversations, listThread } from './store.ts'

export interface InboxParts {
  databases: Databases
  clock: Clock
  ids: (at?: number) => string
  live: LiveLog
  outbox: SendParts['outbox'] & {
    enqueueRead(trx: Db, orgId: string, row: { conversationId: string; wamid: string }): Promise<void>
    enqueueTyping(trx: Db, orgId: string, row: { conversationId: string; wamid: string }): Promise<void>
    wake(): void
  }
  translator: ServerI18n['translator']
  /** Digits of the country the organization's people leave out when they type a number; absent: Argentina's. */
  callingCodeOf?(orgId: string): Promise<string>
}

export type InboxService = ServiceOf<typeof inboxApi, Member>

/** Meta keeps a message for 30 days; what is older can no longer be marked as read. */
const receiptMaxAgeMs = 30 * 24 * 60 * 60 * 1000

const requireIdentifier = (address: string) => {
  const identifier = identifierOfAddress(address)
  if (!identifier) throw inboxErrors.CHAT_NOT_FOUND()
  return identifier
}

/** @throws INBOX_CHAT_NOT_FOUND, for a foreign chat as for one that is not there. */
const requireChat = async (db: Db, orgId: string, address: string): Promise<ListRow> => {
  const row = await findConversation(db, orgId, requireIdentifier(address))
  if (!row) throw inboxErrors.CHAT_NOT_FOUND()
  return row
}

/** Conversations and messages of an organization: what people read, send and set aside. */
export function createInbox(parts: InboxParts): InboxService {
  const { databases, clock, live, outbox, translator } = parts

  /** One transaction with its events; they are published, and the outbox woken, after the commit. */
  const write = async <T>(
    orgId: string,
    work: (trx: Db) => Promise<{ result: T; drafts: readonly EventDraft[] }>,
  ): Promise<T> => {
    const { result, events } = await inTransaction(databases, async trx => {
      const done = await work(trx)
      return { result: done.result, events: done.drafts.length ? await live.record(trx, orgId, done.drafts) : [] }
    })
    live.publish(events)
    return result
  }

  const present = async (db: Db, orgId: string, row: ListRow): Promise<Conversation> =>
    presentConversation(row, (await tagsOf(db, orgId, [row.contact_id])).get(row.contact_id))

  /** Changes flags of a chat; nothing is written and nobody is told when they stand so already. */
  const change = (
    member: Member,
    address: string,
    decide: (row: ListRow) => { archived?: number; unread?: number; control?: string },
    also: (trx: Db, row: ListRow) => Promise<EventDraft[]> = async () => [],
  ): Promise<Conversation> =>
    write(member.orgId, async trx => {
      const row = await requireChat(trx, member.orgId, address)
      const flags = decide(row)
      const isNews = Object.entries(flags).some(([name, value]) => row[name as keyof typeof flags] !== value)
      if (!isNews) return { result: await present(trx, member.orgId, row), drafts: [] }
      const more = await also(trx, row)
      await updateConversation(trx, member.orgId, row.id, flags)
      const conversation = await present(trx, member.orgId, { ...row, ...flags })
      return {
        result: conversation,
        drafts: [{ type: 'conversation', number: conversation.phone, data: { conversation } }, ...more],
      }
    })

  return {
    async listConversations(member, { query }) {
      const page = query.page ?? 1
      const pageSize = query.pageSize ?? conversationsPerPage
      const { rows, hasMore } = await listConversations(databases.read, member.orgId, {
        page,
        pageSize,
        archived: query.archived ?? false,
        search: query.search,
        callingCode: query.search ? await parts.callingCodeOf?.(member.orgId) : undefined,
        tags: query.tag,
      })
      const tags = await tagsOf(
        databases.read,
        member.orgId,
        rows.map(row => row.contact_id),
      )
      return { items: rows.map(row => presentConversation(row, tags.get(row.contact_id))), page, pageSize, hasMore }
    },

    async getConversation(member, { params }) {
      return present(databases.read, member.orgId, await requireChat(databases.read, member.orgId, params.phone))
    },

    async getChatName(member, { params }) {
      const row = await requireChat(databases.read, member.orgId, params.phone)
      return { phone: addressOf(row), name: nameOf(row) }
    },

    async listMessages(member, { params, query }) {
      const db = databases.read
      const { orgId } = member
      const page = query.page ?? 1
      const conversationId = await findConversationId(db, orgId, requireIdentifier(params.phone))
      if (conversationId === undefined) throw inboxErrors.CHAT_NOT_FOUND()
      const before = query.before ? await findPlace(db, orgId, conversationId, query.before) : undefined
      if (query.before && !before) throw new InvalidInput([{ field: 'query.before', code: 'invalid', params: {} }])
      const { rows, hasMore } = await listThread(db, orgId, { conversationId, before, page, pageSize: messagesPerPage })
      const extras = {
        quotes: await quotesOf(db, orgId, rows),
        reactions: await reactionsOf(
          db,
          orgId,
          rows.map(row => row.id),
        ),
        failureText: failureTextFor(translator, member.language),
      }
      return { items: rows.reverse().map(row => presentMessage(row, extras)), page, pageSize: messagesPerPage, hasMore }
    },

    async sendMessage(member, { body }) {
      const message = await write(member.orgId, async trx => {
        const sent = await sendText(trx, member, body, failureTextFor(translator, member.language), parts)
        return { result: sent.message, drafts: sent.drafts }
      })
      outbox.wake()
      return message
    },

    async retryMessage(member, { params }) {
      const message = await write(member.orgId, async trx => {
        const sent = await sendAgain(trx, member, params.id, failureTextFor(translator, member.language), parts)
        return { result: sent.message, drafts: sent.drafts }
      })
      outbox.wake()
      return message
    },

    /** Archived, a chat belongs to nobody until the customer writes again; then it comes back and waits for a person. */
    archiveChat: (member, { body }) => {
      const archived = (body.archived ?? true) ? 1 : 0
      return change(
        member,
        body.phoneNumber,
        () => (archived ? { archived, control: 'bot' } : { archived }),
        async (_trx, row) => {
          const number = addressOf(row)
          return archived && row.control === 'needsHuman'
            ? [{ type: 'human.claimed', number, data: { number, by: member.name } }]
            : []
        },
      )
    },

    async markRead(member, { params }) {
      const conversation = await change(
        member,
        params.phone,
        () => ({ unread: 0 }),
        async (trx, row) => {
          const wamid = row.last_inbound_wamid
          const wroteAt = Date.parse(row.window_closes_at ?? '') - customerWindowMs
          if (wamid !== null && clock.now().getTime() - wroteAt < receiptMaxAgeMs)
            await outbox.enqueueRead(trx, member.orgId, { conversationId: row.id, wamid })
          return []
        },
      )
      outbox.wake()
      return conversation
    },

    markUnread: (member, { params }) => change(member, params.phone, row => ({ unread: Math.max(row.unread, 1) })),

    async showTyping(member, { params }) {
      const isShown = await inTransaction(databases, async trx => {
        const row = await requireChat(trx, member.orgId, params.phone)
        const isOpen = row.window_closes_at !== null && Date.parse(row.window_closes_at) > clock.now().getTime()
        if (row.last_inbound_wamid === null || !isOpen) return false
        await outbox.enqueueTyping(trx, member.orgId, { conversationId: row.id, wamid: row.last_inbound_wamid })
        return true
      })
      if (isShown) outbox.wake()
      return { success: isShown }
    },
  }
}

import type { Viewer } from '#server/identity/visibility/scope.ts'
import { requireChat, requireIdentifier } from '#server/messaging/conversations/chat.ts'
import { countListParts } from '#server/messaging/conversations/list/list-part-store.ts'
import { closingFrom, listFilterOf, overdueAt } from '#server/messaging/conversations/list/list-query.ts'
import { countUnread, listConversations, listMany } from '#server/messaging/conversations/list/list-store.ts'
import { type ListRow, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { findConversationId } from '#server/messaging/conversations/rows/store.ts'
import { searchEverywhere } from '#server/messaging/conversations/search/find.ts'
import { findOwnNumberId } from '#server/messaging/conversations/shown/named.ts'
import {
  nameOf,
  presentConversation,
  presentLean,
  presentMatching,
} from '#server/messaging/conversations/shown/present.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { contactAddress } from '#server/messaging/identifier.ts'
import { sayFailureFor } from '#server/messaging/messages/delivery/failure.ts'
import {
  findPlace,
  listThread,
  listThreadAfter,
  listThreadAround,
  listThreadSince,
} from '#server/messaging/messages/history/thread-store.ts'
import { readQuotes, readReactions } from '#server/messaging/messages/message-store.ts'
import { presentMessage } from '#server/messaging/messages/present.ts'
import { findWaiting, type SendParts } from '#server/messaging/sending/sending.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import {
  type Conversation,
  type ConversationQuery,
  maxConversationsAtOnce,
  maxCounted,
  maxOfListPart,
  maxSelectedChats,
} from '#shared/inbox/conversations.ts'
import type { inboxApi } from '#shared/inbox/inbox.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { conversationsPerPage, messagesPerPage } from '#shared/kernel/limits.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'

export interface InboxReadingParts {
  databases: Pick<Databases, 'read'>
  clock: Clock
  translator: ServerI18n['translator']
  outbox: SendParts['outbox']
  /** Country code that members omit when they type a number; absent: Argentina's. */
  readCallingCode?(orgId: string): Promise<string>
  /** The time zone of the organization; absent: Argentina's. */
  readTimeZone?(orgId: string): Promise<string>
  /** The minutes of the organization's promise of a first response; absent or null: it makes none. */
  readPromiseMinutes?(orgId: string): Promise<number | null>
}

interface ThreadQuery {
  page?: number
  before?: string
  after?: string
  around?: string
  since?: string
}

/**
 * A page of a thread, newest first. @throws InvalidInput for a message that is not in it, and for two positions at
 * once.
 */
const readThread = async (db: Db, viewer: Viewer, conversationId: string, query: ThreadQuery) => {
  const given = (['before', 'after', 'around', 'since'] as const).filter(name => query[name])
  const [name, other] = given
  const refuse = (field: string) => new InvalidInput([{ field: `query.${field}`, code: 'invalid', params: {} }])
  if (other) throw refuse(other)
  const pageSize = messagesPerPage
  if (name === 'since') {
    const moment = new Date(query.since ?? '')
    if (Number.isNaN(moment.getTime())) throw refuse(name)
    return listThreadSince(db, viewer, { conversationId, since: moment.toISOString(), pageSize })
  }
  const place = name && (await findPlace(db, viewer, conversationId, query[name] ?? ''))
  if (name && !place) throw refuse(name)
  if (place && name === 'after') return listThreadAfter(db, viewer, { conversationId, place, pageSize })
  if (place && name === 'around') return listThreadAround(db, viewer, { conversationId, place, pageSize })
  return listThread(db, viewer, { conversationId, before: place, page: query.page ?? 1, pageSize })
}

/** Answers the calls that only read: lists, counts, chats, threads, searches. */
export function createInboxReading(
  parts: InboxReadingParts,
  present: (db: Db, orgId: string, row: ListRow) => Promise<Conversation>,
) {
  const { databases, clock, translator } = parts

  /** @throws InvalidInput for a number that is none of the organization's. */
  const requireNumber = async (orgId: string, typed: string): Promise<string> => {
    const id = await findOwnNumberId(databases.read, orgId, typed)
    if (id === undefined) throw new InvalidInput([{ field: 'query.number', code: 'invalid', params: {} }])
    return id
  }

  /** The filters of both lists. Tags without an id are ignored. */
  const sharedFilterOf = async (
    orgId: string,
    { search, tag, archived = false }: { search?: string; tag?: readonly string[]; archived?: boolean },
  ) => ({
    archived,
    search,
    callingCode: search ? await parts.readCallingCode?.(orgId) : undefined,
    timeZone: search ? await parts.readTimeZone?.(orgId) : undefined,
    ...(tag ? { tags: tag.filter(id => id !== '') } : {}),
  })

  /** All filters of the page's list. @throws InvalidInput for a number that is none of the organization's */
  const pageFilterOf = async (orgId: string, query: Omit<ConversationQuery, 'page' | 'pageSize'>) => ({
    ...(await sharedFilterOf(orgId, query)),
    ...listFilterOf(query, {
      connectionId: query.number === undefined ? undefined : await requireNumber(orgId, query.number),
      now: clock.now(),
    }),
  })

  return {
    async listConversations(member, { query }) {
      const page = query.page ?? 1
      const pageSize = query.pageSize ?? conversationsPerPage
      const { rows, hasMore } = await listConversations(databases.read, member, {
        page,
        pageSize,
        ...(await pageFilterOf(member.orgId, query)),
      })
      const tags = await readTagsOfContacts(
        databases.read,
        member.orgId,
        rows.map(row => row.contact_id),
      )
      return { items: rows.map(row => presentConversation(row, tags.get(row.contact_id))), page, pageSize, hasMore }
    },

    async listMatching(member, { query }) {
      const { orgId } = member
      const filter = await pageFilterOf(orgId, query)
      const { rows, hasMore } = await listMany(databases.read, member, maxSelectedChats, filter)
      const ids = rows.map(row => row.contact_id)
      const tags = await readTagsOfContacts(databases.read, orgId, ids)
      return { items: rows.map(row => presentMatching(row, tags.get(row.contact_id))), hasMore }
    },

    async listAllConversations(member, { query }) {
      const { orgId, language } = member
      const pageSize = maxConversationsAtOnce
      const { rows, hasMore } = await listMany(databases.read, member, pageSize, await sharedFilterOf(orgId, query))
      const ids = rows.map(row => row.contact_id)
      const tags = await readTagsOfContacts(databases.read, orgId, ids)
      const items = rows.map(row => presentLean(row, tags.get(row.contact_id)))
      const notice = hasMore ? { notice: translator(language)('inbox:list.onlySoMany', { most: pageSize }) } : {}
      return { items, page: 1, pageSize, hasMore, ...notice }
    },

    async countUnread(member) {
      return { conversations: await countUnread(databases.read, member, maxCounted) }
    },

    async countLanes(member, { query }) {
      const connectionId = query.number === undefined ? undefined : await requireNumber(member.orgId, query.number)
      const now = clock.now()
      const open = { archived: false, connectionId }
      const filters = {
        mine: { ...open, assigneeId: callerId(member) },
        unassigned: { ...open, assigneeId: null },
        needsHuman: { ...open, needsHuman: true },
        metaAgent: { ...open, isMetaAgents: true },
        unread: { ...open, isUnread: true },
        closing: { ...open, closing: closingFrom(now) },
        waiting: { ...open, isWaiting: true },
        failed: { ...open, isFailed: true },
        archived: { ...open, archived: true },
        snoozed: { ...open, isSnoozed: true },
      }
      const promiseMinutes = (await parts.readPromiseMinutes?.(member.orgId)) ?? null
      if (promiseMinutes === null) return countListParts(databases.read, member, filters, maxOfListPart)
      const overdue = { ...open, overdueAt: overdueAt(now) }
      return countListParts(databases.read, member, { ...filters, overdue }, maxOfListPart)
    },

    async getConversation(member, { params }) {
      return present(databases.read, member.orgId, await requireChat(databases.read, member, params.phone))
    },

    async getChatName(member, { params }) {
      const row = await requireChat(databases.read, member, params.phone)
      return { phone: contactAddress(row), name: nameOf(row) }
    },

    async listMessages(member, { params, query }) {
      const db = databases.read
      const { orgId } = member
      const page = query.page ?? 1
      const conversationId = await findConversationId(db, member, requireIdentifier(params.phone))
      if (conversationId === undefined) throw inboxErrors.CHAT_NOT_FOUND()
      const { rows, ...more } = await readThread(db, member, conversationId, query)
      const extras = {
        quotes: await readQuotes(db, orgId, rows),
        reactions: await readReactions(
          db,
          orgId,
          rows.map(row => row.id),
        ),
        sayFailure: sayFailureFor(translator, member.language),
        waiting: await findWaiting(db, orgId, rows, parts),
      }
      return { items: rows.reverse().map(row => presentMessage(row, extras)), page, pageSize: messagesPerPage, ...more }
    },

    async searchMessages(member, { query }) {
      const db = databases.read
      const conversationId =
        query.phone === undefined ? undefined : await findConversationId(db, member, requireIdentifier(query.phone))
      if (query.phone !== undefined && conversationId === undefined) throw inboxErrors.CHAT_NOT_FOUND()
      const home = await parts.readCallingCode?.(member.orgId)
      const timeZone = (await parts.readTimeZone?.(member.orgId)) ?? defaultTimeZone
      return searchEverywhere(db, member, { q: query.q, before: query.before, conversationId, home, timeZone })
    },
  } satisfies Partial<ServiceOf<typeof inboxApi, OrgCaller>>
}

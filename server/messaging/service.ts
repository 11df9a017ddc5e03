import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import {
  type Conversation,
  type ConversationQuery,
  maxConversationsAtOnce,
  maxCounted,
  maxOfLane,
  maxSelectedChats,
  nobody,
} from '#shared/inbox/conversations.ts'
import type { inboxApi } from '#shared/inbox/inbox.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { conversationsPerPage, messagesPerPage, windowClosingMs } from '#shared/kernel/limits.ts'
import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'
import type { Viewer } from '../identity/visibility/scope.ts'
import type { Databases } from '../platform/db/db.ts'
import { requireRoomFor } from '../platform/db/row-limits-store.ts'
import { actorOf } from '../platform/events/actors.ts'
import type { Writes } from '../platform/events/writes.ts'
import { callerId, type OrgCaller } from '../platform/http/actor.ts'
import { InvalidInput, visibleText } from '../platform/http/validate.ts'
import type { ServerI18n } from '../platform/text/i18n.ts'
import { type Clock, isoNow } from '../platform/time/clock.ts'
import { type CatalogueIds, requireCatalogue } from './actions/catalogue.ts'
import { type Choose, giveToTeam } from './assignment/giving-out.ts'
import { addressOf } from './contacts/identifier.ts'
import { optInContacts, optOutContacts } from './contacts/opt-outs.ts'
import { setTag } from './contacts/tagging.ts'
import { changeMany } from './conversations/change-many.ts'
import { requireChat, requireIdentifier } from './conversations/chat.ts'
import { searchEverywhere } from './conversations/find.ts'
import { archive, markRead, markUnread } from './conversations/flags.ts'
import { countLanes } from './conversations/lane-store.ts'
import { type ListRow, tagsOf } from './conversations/list-row-store.ts'
import { countUnread, listConversations, listMany } from './conversations/list-store.ts'
import { listOwnNumbers } from './conversations/number-store.ts'
import {
  findConversationId,
  findPlace,
  listThread,
  listThreadAfter,
  listThreadAround,
  listThreadSince,
} from './conversations/store.ts'
import { inboxErrors } from './errors.ts'
import type { WithJsonFile } from './media/json-file.ts'
import { sayFailureFor } from './messages/failure.ts'
import { quotesOf, reactionsOf } from './messages/message-store.ts'
import { insertNote } from './notes/new-note.ts'
import type { Outbox } from './outbox/outbox.ts'
import { assign } from './people/assigning.ts'
import { giveToBot, giveToPerson, refuseTaken } from './people/giving.ts'
import { nameOf, placeOf, presentConversation, presentLean, presentMatching, presentMessage } from './present.ts'
import { react } from './sending/reacting.ts'
import { cancelSend, type SendParts, sendAgain, sendMessage, waitingOf } from './sending/sending.ts'
import { showTyping } from './sending/typing.ts'
import type { Snoozing } from './snoozes/snoozing.ts'
import type { Tags } from './tags/tags.ts'

interface Receipt {
  conversationId: string
  connectionId: string
  wamid: string
}

export interface InboxParts {
  databases: Databases
  clock: Clock
  ids: (at?: number) => string
  takeKept?: SendParts['takeKept']
  assignsOnReply?: SendParts['assignsOnReply']
  writes: Pick<Writes, 'run'>
  outbox: SendParts['outbox'] & {
    enqueueReads(write: OrgWrite, rows: readonly Receipt[]): Promise<void>
    enqueueTyping(write: OrgWrite, row: Receipt): Promise<void>
    enqueueReaction: Outbox['enqueueReaction']
  }
  translator: ServerI18n['translator']
  actions: SendParts['actions']
  templates: SendParts['templates']
  files: SendParts['files']
  withJsonFile: WithJsonFile
  catalogueIds: CatalogueIds
  tags: Tags
  snoozing: Snoozing
  /** Absent: conversations are not assigned automatically. */
  choosing?: Choose
  /** Country code that members omit when they type a number; absent: Argentina's. */
  callingCodeOf?(orgId: string): Promise<string>
  /** The time zone of the organization; absent or undefined: Argentina's. */
  timeZoneOf?(orgId: string): Promise<string | undefined>
}

export type InboxService = ServiceOf<typeof inboxApi, OrgCaller>

/** Windows that close within the next hours. */
const closingFrom = (now: Date) => ({
  after: now.toISOString(),
  until: new Date(now.getTime() + windowClosingMs).toISOString(),
})

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

/** Answers the inbox's calls. */
export function createInbox(parts: InboxParts): InboxService {
  const { databases, clock, writes, outbox, translator } = parts

  const present = async (db: Db, orgId: string, row: ListRow): Promise<Conversation> =>
    presentConversation(row, (await tagsOf(db, orgId, [row.contact_id])).get(row.contact_id))

  /** @throws InvalidInput for a number that is none of the organization's. */
  const requireNumber = async (orgId: string, typed: string): Promise<string> => {
    const key = phoneKey(digitsOf(typed))
    const number = (await listOwnNumbers(databases.read, orgId)).find(({ phone }) => phone && phoneKey(phone) === key)
    if (!number) throw new InvalidInput([{ field: 'query.number', code: 'invalid', params: {} }])
    return number.id
  }

  /** The filters of both lists. Tags without an id are ignored. */
  const filterOf = async (
    orgId: string,
    { search, tag, archived = false }: { search?: string; tag?: readonly string[]; archived?: boolean },
  ) => ({
    archived,
    search,
    callingCode: search ? await parts.callingCodeOf?.(orgId) : undefined,
    timeZone: search ? await parts.timeZoneOf?.(orgId) : undefined,
    ...(tag ? { tags: tag.filter(id => id !== '') } : {}),
  })

  /** All filters of the page's list. @throws InvalidInput for a number that is none of the organization's */
  const listFilterOf = async (orgId: string, query: Omit<ConversationQuery, 'page' | 'pageSize'>) => ({
    ...(await filterOf(orgId, query)),
    connectionId: query.number === undefined ? undefined : await requireNumber(orgId, query.number),
    isSnoozed: query.snoozed,
    isWaiting: query.waiting,
    isUnread: query.unread,
    needsHuman: query.needsHuman,
    isMetaAgents: query.metaAgent,
    isFailed: query.failed,
    assigneeId: query.assignee === nobody ? null : query.assignee,
    closing: query.closing ? closingFrom(clock.now()) : undefined,
  })

  /** Changes one chat with a function for many. Returns it after the change. */
  const change = (
    member: OrgCaller,
    address: string,
    work: (write: OrgWrite, rows: readonly ListRow[]) => Promise<ListRow[]>,
  ): Promise<Conversation> =>
    writes.run(member.orgId, actorOf(member), async write => {
      const row = await requireChat(write.db, member, address)
      const [after = row] = await work(write, [row])
      return present(write.db, write.orgId, after)
    })

  const tag = (member: OrgCaller, { phone, tagId }: { phone: string; tagId: string }, isOn: boolean) =>
    change(member, phone, async (write, rows) => {
      await setTag(write, rows, { tagId, isOn }, parts.tags)
      return [...rows]
    })

  return {
    async listConversations(member, { query }) {
      const page = query.page ?? 1
      const pageSize = query.pageSize ?? conversationsPerPage
      const { rows, hasMore } = await listConversations(databases.read, member, {
        page,
        pageSize,
        ...(await listFilterOf(member.orgId, query)),
      })
      const tags = await tagsOf(
        databases.read,
        member.orgId,
        rows.map(row => row.contact_id),
      )
      return { items: rows.map(row => presentConversation(row, tags.get(row.contact_id))), page, pageSize, hasMore }
    },

    async listMatching(member, { query }) {
      const { orgId } = member
      const filter = await listFilterOf(orgId, query)
      const { rows, hasMore } = await listMany(databases.read, member, maxSelectedChats, filter)
      const ids = rows.map(row => row.contact_id)
      const tags = await tagsOf(databases.read, orgId, ids)
      return { items: rows.map(row => presentMatching(row, tags.get(row.contact_id))), hasMore }
    },

    async listAllConversations(member, { query }) {
      const { orgId, language } = member
      const pageSize = maxConversationsAtOnce
      const { rows, hasMore } = await listMany(databases.read, member, pageSize, await filterOf(orgId, query))
      const ids = rows.map(row => row.contact_id)
      const tags = await tagsOf(databases.read, orgId, ids)
      const items = rows.map(row => presentLean(row, tags.get(row.contact_id)))
      const notice = hasMore ? { notice: translator(language)('inbox:list.onlySoMany', { most: pageSize }) } : {}
      return { items, page: 1, pageSize, hasMore, ...notice }
    },

    async countUnread(member) {
      return { conversations: await countUnread(databases.read, member, maxCounted) }
    },

    async countLanes(member, { query }) {
      const connectionId = query.number === undefined ? undefined : await requireNumber(member.orgId, query.number)
      const open = { archived: false, connectionId }
      const lanes = {
        mine: { ...open, assigneeId: callerId(member) },
        unassigned: { ...open, assigneeId: null },
        needsHuman: { ...open, needsHuman: true },
        metaAgent: { ...open, isMetaAgents: true },
        unread: { ...open, isUnread: true },
        closing: { ...open, closing: closingFrom(clock.now()) },
        waiting: { ...open, isWaiting: true },
        failed: { ...open, isFailed: true },
        archived: { ...open, archived: true },
        snoozed: { ...open, isSnoozed: true },
      }
      return countLanes(databases.read, member, lanes, maxOfLane)
    },

    async getConversation(member, { params }) {
      return present(databases.read, member.orgId, await requireChat(databases.read, member, params.phone))
    },

    async getChatName(member, { params }) {
      const row = await requireChat(databases.read, member, params.phone)
      return { phone: addressOf(row), name: nameOf(row) }
    },

    async listMessages(member, { params, query }) {
      const db = databases.read
      const { orgId } = member
      const page = query.page ?? 1
      const conversationId = await findConversationId(db, member, requireIdentifier(params.phone))
      if (conversationId === undefined) throw inboxErrors.CHAT_NOT_FOUND()
      const { rows, ...more } = await readThread(db, member, conversationId, query)
      const extras = {
        quotes: await quotesOf(db, orgId, rows),
        reactions: await reactionsOf(
          db,
          orgId,
          rows.map(row => row.id),
        ),
        sayFailure: sayFailureFor(translator, member.language),
        waiting: await waitingOf(db, orgId, rows, parts),
      }
      return { items: rows.reverse().map(row => presentMessage(row, extras)), page, pageSize: messagesPerPage, ...more }
    },

    async searchMessages(member, { query }) {
      const db = databases.read
      const conversationId =
        query.phone === undefined ? undefined : await findConversationId(db, member, requireIdentifier(query.phone))
      if (query.phone !== undefined && conversationId === undefined) throw inboxErrors.CHAT_NOT_FOUND()
      const home = await parts.callingCodeOf?.(member.orgId)
      const timeZone = (await parts.timeZoneOf?.(member.orgId)) ?? defaultTimeZone
      return searchEverywhere(db, member, { q: query.q, before: query.before, conversationId, home, timeZone })
    },

    async sendMessage(member, { body: { file: named, ...body }, file: received }) {
      const { orgId, language } = member
      if (received && named) throw new InvalidInput([{ field: 'body.file', code: 'fileMany', params: {} }])
      if (named && body.type !== 'file') throw new InvalidInput([{ field: 'body.file', code: 'unknown', params: {} }])
      await requireCatalogue(databases.read, member, body, parts.catalogueIds)
      return parts.withJsonFile({ orgId, broughtBy: callerId(member) }, named, file =>
        writes.run(orgId, actorOf(member), write => {
          const input = { body, ...(received || file ? { file: received ?? file } : {}) }
          return sendMessage(write, member, input, sayFailureFor(translator, language), parts)
        }),
      )
    },

    reactToMessage: (member, { params, body }) =>
      writes.run(member.orgId, actorOf(member), write =>
        react(write, member, { id: params.id, emoji: body.emoji }, sayFailureFor(translator, member.language), parts),
      ),

    retryMessage: (member, { params }) =>
      writes.run(member.orgId, actorOf(member), write =>
        sendAgain(write, member, params.id, sayFailureFor(translator, member.language), parts),
      ),

    cancelMessage: (member, { params }) =>
      writes.run(member.orgId, actorOf(member), write =>
        cancelSend(write, member, params.id, sayFailureFor(translator, member.language), parts),
      ),

    archiveChat: (member, { body }) =>
      change(member, body.phoneNumber, (write, rows) => archive(write, rows, body.archived ?? true)),

    changeChats: (member, { body }) =>
      writes.run(member.orgId, actorOf(member), write => changeMany(write, member, body, parts)),

    assignChat: (member, { params, body }) =>
      writes.run(member.orgId, actorOf(member), async write => {
        const { db, orgId, emit } = write
        const row = await requireChat(db, member, params.phone)
        refuseTaken(row, body.ifHeldBy, body.userId)
        const [assigned = row] = await giveToTeam(write, [await assign(write, row, body)], body, parts.choosing)
        if (body.note !== undefined) {
          await requireRoomFor(db, orgId, 'notes', 1)
          const author = {
            kind: member.kind === 'key' ? 'api' : 'person',
            id: callerId(member),
            name: member.name,
          } as const
          await insertNote(write, row, { text: visibleText(body.note, 'body.note'), author }, parts)
        }
        const conversation = await present(db, orgId, assigned)
        if (assigned !== row) emit({ type: 'conversation.changed', data: { ...placeOf(row), conversation } })
        return conversation
      }),

    controlChat: (member, { params, body: { owner, assigneeId, ifHeldBy } }) =>
      writes.run(member.orgId, actorOf(member), async write => {
        const { db, orgId, emit } = write
        if (owner === 'bot' && assigneeId !== undefined)
          throw new InvalidInput([{ field: 'body.assigneeId', code: 'onlyHuman', params: {} }])
        const row = await requireChat(db, member, params.phone)
        const whoAsks = member.kind === 'person' ? member.userId : null
        const taker = assigneeId === undefined ? (row.assignee_id ?? whoAsks) : assigneeId
        refuseTaken(row, ifHeldBy, taker)
        const given =
          owner === 'bot' ? await giveToBot(write, row) : await giveToPerson(write, row, taker, 'body.assigneeId')
        const conversation = await present(db, orgId, given)
        if (given !== row) emit({ type: 'conversation.changed', data: { ...placeOf(row), conversation } })
        return conversation
      }),

    tagChat: (member, { params }) => tag(member, params, true),

    untagChat: (member, { params }) => tag(member, params, false),

    optOutChat: (member, { params, body }) =>
      writes.run(member.orgId, actorOf(member), async write => {
        const row = await requireChat(write.db, member, params.phone)
        const reason = body.reason?.replace(/\s+/g, ' ').trim() ?? ''
        const note = isSeen(reason) ? reason : null
        const optOut = { at: isoNow(clock), source: 'person' as const, note, by: member.name }
        await optOutContacts(write, [row.contact_id], optOut)
        return present(write.db, write.orgId, await requireChat(write.db, member, params.phone))
      }),

    /** @throws INBOX_OPT_OUT_BY_CUSTOMER when the customer opted out in WhatsApp. */
    optInChat: (member, { params }) =>
      writes.run(member.orgId, actorOf(member), async write => {
        const row = await requireChat(write.db, member, params.phone)
        if (row.opt_out !== null && (JSON.parse(row.opt_out) as OptOut).source === 'whatsapp')
          throw inboxErrors.OPT_OUT_BY_CUSTOMER()
        await optInContacts(write, [row.contact_id])
        return present(write.db, write.orgId, await requireChat(write.db, member, params.phone))
      }),

    markRead: (member, { params }) => change(member, params.phone, (write, rows) => markRead(write, rows, parts)),

    markUnread: (member, { params }) => change(member, params.phone, markUnread),

    showTyping: (member, { params }) =>
      writes.run(member.orgId, actorOf(member), async write => {
        const row = await requireChat(write.db, member, params.phone)
        return { success: await showTyping(write, row, { clock, outbox }) }
      }),
  }
}

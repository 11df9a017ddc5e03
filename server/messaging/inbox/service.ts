import { type Choose, giveToTeam } from '#server/messaging/assignment/giving-out.ts'
import { optInContacts, optOutContacts } from '#server/messaging/contacts/opt-outs.ts'
import { setTag } from '#server/messaging/contacts/tagging.ts'
import { archive, markRead, markUnread } from '#server/messaging/conversations/changes/flags.ts'
import { requireChat } from '#server/messaging/conversations/chat.ts'
import { type ListRow, optOutOf, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, presentConversation } from '#server/messaging/conversations/shown/present.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import type { WithJsonFile } from '#server/messaging/media/json-file.ts'
import { sayFailureFor } from '#server/messaging/messages/delivery/failure.ts'
import { insertNote } from '#server/messaging/notes/new-note.ts'
import type { Outbox } from '#server/messaging/outbox/outbox.ts'
import { assign } from '#server/messaging/people/assigning.ts'
import { giveToBot, giveToPerson, refuseTaken } from '#server/messaging/people/giving.ts'
import { type CatalogueIds, requireCatalogue } from '#server/messaging/sending/catalogue.ts'
import { react } from '#server/messaging/sending/reacting.ts'
import { cancelSend, type SendParts, sendAgain, sendMessage } from '#server/messaging/sending/sending.ts'
import { showTyping } from '#server/messaging/sending/typing.ts'
import type { Snoozing } from '#server/messaging/snoozes/snoozing.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput, visibleText } from '#server/platform/http/validate.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { inboxApi } from '#shared/inbox/inbox.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'
import { changeMany } from './change-many.ts'
import { createInboxReading, type InboxReadingParts } from './read-calls.ts'

interface Receipt {
  conversationId: string
  connectionId: string
  wamid: string
}

interface InboxParts extends InboxReadingParts {
  databases: Databases
  ids: (at?: number) => string
  takeKept?: SendParts['takeKept']
  assignsOnReply?: SendParts['assignsOnReply']
  writes: Pick<Writes, 'run'>
  outbox: SendParts['outbox'] & {
    enqueueReads(write: OrgWrite, rows: readonly Receipt[]): Promise<void>
    enqueueTyping(write: OrgWrite, row: Receipt): Promise<void>
    enqueueReaction: Outbox['enqueueReaction']
  }
  actions: SendParts['actions']
  templates: SendParts['templates']
  files: SendParts['files']
  withJsonFile: WithJsonFile
  catalogueIds: CatalogueIds
  tags: Tags
  snoozing: Snoozing
  /** Absent: conversations are not assigned automatically. */
  choosing?: Choose
}

type InboxService = ServiceOf<typeof inboxApi, OrgCaller>

/** Answers the inbox's calls. */
export function createInbox(parts: InboxParts): InboxService {
  const { databases, clock, writes, outbox, translator } = parts

  const present = async (db: Db, orgId: string, row: ListRow): Promise<Conversation> =>
    presentConversation(row, (await readTagsOfContacts(db, orgId, [row.contact_id])).get(row.contact_id))

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
    ...createInboxReading(parts, present),

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
        if (assigned !== row) emit({ type: 'conversation.changed', data: { ...conversationRef(row), conversation } })
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
        if (given !== row) emit({ type: 'conversation.changed', data: { ...conversationRef(row), conversation } })
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
        if (optOutOf(row)?.source === 'whatsapp') throw inboxErrors.OPT_OUT_BY_CUSTOMER()
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

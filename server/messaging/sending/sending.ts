import { archiveStates } from '#server/messaging/archive-states.ts'
import { decideControl } from '#server/messaging/conversations/control.ts'
import { setLastMessage } from '#server/messaging/conversations/conversations.ts'
import { findRows, type ListRow, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { findConversations } from '#server/messaging/conversations/rows/store.ts'
import { conversationRef, presentConversation } from '#server/messaging/conversations/shown/present.ts'
import type { DirectoryParts } from '#server/messaging/directory/directory.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { type Control, withFailure } from '#server/messaging/events.ts'
import { identifierOfAddress } from '#server/messaging/identifier.ts'
import type { ReceivedFiles } from '#server/messaging/media/received.ts'
import { applyDelivery } from '#server/messaging/messages/delivery/delivery.ts'
import type { SayFailure } from '#server/messaging/messages/delivery/failure.ts'
import {
  insertMessages,
  type MediaFacts,
  type MessageRow,
  newMessageRow,
  readQuotes,
  readReactions,
} from '#server/messaging/messages/message-store.ts'
import { messageFacts, presentMessage } from '#server/messaging/messages/present.ts'
import type { Outbox } from '#server/messaging/outbox/outbox.ts'
import { applyReply } from '#server/messaging/people/replying.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb, OrgWrite } from '#server/platform/events/write.ts'
import { callerId, type OrgCaller, type SendingCaller } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { failsAgain } from '#server/whatsapp/errors/code-meanings.ts'
import type { Shown } from '#server/whatsapp/kinds/kind.ts'
import { shownContent } from '#server/whatsapp/kinds/registry.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import type { Message } from '#shared/inbox/messages.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { windowSafetyMs } from '#shared/kernel/limits.ts'
import { isMarketingCategory } from '#shared/templates/words.ts'
import type { ActionSending } from './asked-action.ts'
import { beginConversation } from './first-message.ts'
import {
  type AskedFile,
  type AskedTemplate,
  type ReadyTemplate,
  readOutbound,
  shownTemplate,
  withButton,
} from './outbound.ts'
import { queuedMessage } from './queued-message.ts'
import { findByClientKey, findMessage, findQuotable, hasOutbound } from './send-store.ts'
import { chooseConversation } from './sending-number.ts'

export interface SendParts extends DirectoryParts {
  outbox: Pick<Outbox, 'enqueueMessage' | 'cancelMessage' | 'findWaiting'>
  files: Pick<ReceivedFiles, 'take'>
  actions: ActionSending
  /** True: the first reply of a member assigns them an unassigned conversation. Absent: it does. */
  assignsOnReply?(orgId: string, db: Db): Promise<boolean>
  templates: {
    /** @throws when the template cannot be sent, and InvalidInput naming each value that does not fit. */
    prepare(
      db: Db,
      orgId: string,
      asked: AskedTemplate,
      leavesAtMs: number,
    ): Promise<ReadyTemplate & { category: string }>
    noteUse(db: OrgDb, orgId: string, id: string, use: { count: number; at: string }): Promise<void>
  }
}

const isWindowClosed = (closesAt: string | null, clock: Clock): boolean =>
  closesAt === null || Date.parse(closesAt) - windowSafetyMs <= clock.now().getTime()

/** @throws INBOX_WINDOW_CLOSED when the 24 hours after the customer's last message have passed or nearly have. */
export const requireWindow = (closesAt: string | null, clock: Clock) => {
  if (isWindowClosed(closesAt, clock)) throw inboxErrors.WINDOW_CLOSED({ params: { closedAt: closesAt ?? '' } })
}

/** Why messages of one conversation are still queued, and until when. */
export async function findWaiting(
  db: Db,
  orgId: string,
  rows: readonly MessageRow[],
  { outbox }: Pick<SendParts, 'outbox'>,
) {
  const queued = rows.filter(row => row.status === 'queued' && row.wamid === null && !row.unconfirmed)
  const [first] = queued
  if (!first) return undefined
  return outbox.findWaiting(db, orgId, {
    conversationId: first.conversation_id,
    messageIds: queued.map(row => row.id),
  })
}

/** The parts shown with a message: quote, reactions, and why it waits. */
const readExtras = async (db: Db, orgId: string, row: MessageRow, parts: SendParts) => ({
  quotes: await readQuotes(db, orgId, [row]),
  reactions: await readReactions(db, orgId, [row.id]),
  waiting: await findWaiting(db, orgId, [row], parts),
})

export const presentOne = async (
  db: Db,
  orgId: string,
  row: MessageRow,
  sayFailure: SayFailure,
  parts: SendParts,
): Promise<Message> => presentMessage(row, { ...(await readExtras(db, orgId, row, parts)), sayFailure })

/** Unarchives the conversation and updates who controls it. Returns the state before. */
const applySent = (
  row: ListRow,
  { isPerson, isTemplate }: { isPerson: boolean; isTemplate: boolean },
): { from: Control; wasArchived: boolean } => {
  const before = { from: row.control, wasArchived: row.archived === archiveStates.archived }
  const held = { control: row.control, assigneeId: row.assignee_id }
  // A template that a program sends does not change who controls the chat.
  if (isPerson || !isTemplate) row.control = decideControl(held, { kind: isPerson ? 'personWrote' : 'programWrote' })
  if (isPerson || !isTemplate) row.waiting_since = null
  if (before.wasArchived) row.archived = archiveStates.open
  return before
}

const storedMedia = ({ received: { id, size, picture }, mime, name }: AskedFile): MediaFacts => ({
  media_id: id,
  media_mime: mime,
  media_name: name,
  media_size: size,
  media_state: 'stored',
  media_error: null,
  media_width: picture?.width ?? null,
  media_height: picture?.height ?? null,
})

/** Prepares what is sent and how it is shown. For a template, fills in the values and counts its use. */
const prepareContent = async (
  { db, orgId }: OrgWrite,
  { id, asked }: { id: string; asked: ReturnType<typeof readOutbound> },
  { clock, templates, actions }: SendParts,
): Promise<{ sent: OutboundMessage; shown: Shown; file?: AskedFile; isMarketing?: boolean }> => {
  if (asked.type === 'askedFile') return { sent: asked.sent, shown: shownContent(asked.sent), file: asked }
  if (asked.type === 'askedAction') {
    await actions.requireThere(db, orgId, asked.action)
    const sent = withButton(asked, actions.idOf(orgId, id))
    return { sent, shown: shownContent(sent) }
  }
  if (asked.type !== 'askedTemplate') return { sent: asked, shown: shownContent(asked) }
  const ready = await templates.prepare(db, orgId, asked, clock.now().getTime())
  await templates.noteUse(db, orgId, ready.id, { count: 1, at: isoNow(clock) })
  const isMarketing = isMarketingCategory(ready.category)
  return { sent: { type: 'template', template: ready.message }, shown: shownTemplate(ready), isMarketing }
}

/** The message to send, and the sender's options. */
export interface AskedSend {
  readonly asked: ReturnType<typeof readOutbound>
  readonly to: Pick<SendMessage, 'numberTel' | 'phone' | 'replyToMessageId' | 'clientKey' | 'isHuman'>
}

/**
 * Stores a message and queues it, in the caller's transaction. A repeated `clientKey` returns the first message and
 * stores nothing. @throws INBOX_MESSAGE_TYPE_UNSUPPORTED, INBOX_NOT_CONNECTED, INBOX_WINDOW_CLOSED (also for a number
 * that never wrote; not for a template), INBOX_ACTION_WINDOW_CLOSED, INBOX_OPTED_OUT, TEMPLATES_* for a template that cannot be sent,
 * APP_IDEMPOTENCY_MISMATCH (the key belongs to another chat's message), InvalidInput naming the field.
 */
export const sendMessage = (
  write: OrgWrite,
  member: SendingCaller,
  { body, file }: { body: SendMessage; file?: ReceivedFile },
  sayFailure: SayFailure,
  parts: SendParts,
): Promise<Message> =>
  sendAsked(write, member, { asked: readOutbound(body, file), to: body }, sayFailure, parts).then(one => one.message)

/** Like `sendMessage`, for content that was read from another form. Returns the conversation too. */
export async function sendAsked(
  write: OrgWrite,
  member: SendingCaller,
  { asked, to: body }: AskedSend,
  sayFailure: SayFailure,
  parts: SendParts,
): Promise<{ message: Message; row: ListRow }> {
  const { db, orgId, by } = write
  const identifier = identifierOfAddress(body.numberTel)
  const found = identifier ? await findConversations(db, member, identifier) : []
  const known = body.clientKey ? await findByClientKey(db, member, callerId(member), body.clientKey) : undefined
  if (known) {
    const row = found.find(({ id }) => id === known.conversation_id)
    if (!row) throw appErrors.IDEMPOTENCY_MISMATCH()
    return { message: await presentOne(db, orgId, known, sayFailure, parts), row }
  }
  const id = parts.ids(parts.clock.now().getTime())
  const isOne = identifier?.kind === 'conversation'
  const numbers = await listOwnNumbers(db, orgId)
  const { sent, shown, file, isMarketing } = await prepareContent(write, { id, asked }, parts)
  if (isMarketing && found.some(({ opt_out }) => opt_out !== null)) throw inboxErrors.OPTED_OUT()
  const chosen = chooseConversation(found, numbers, { phone: body.phone, isOne })
  const isAction = asked.type === 'askedAction'
  if (isAction && isWindowClosed(chosen?.window_closes_at ?? null, parts.clock))
    throw inboxErrors.ACTION_WINDOW_CLOSED()
  if (!chosen && sent.type !== 'template') throw inboxErrors.WINDOW_CLOSED({ params: { closedAt: '' } })
  const row = chosen ?? (await beginConversation(write, { address: body.numberTel, phone: body.phone, numbers }, parts))
  if (sent.type !== 'template') requireWindow(row.window_closes_at, parts.clock)
  const quoted = body.replyToMessageId ? await findQuotable(db, member, row.id, body.replyToMessageId) : null
  if (quoted === undefined) throw new InvalidInput([{ field: 'body.replyToMessageId', code: 'invalid', params: {} }])

  // A program may forward what a person typed elsewhere, with `isHuman`. Otherwise the conversation counts as not taken
  // by a person.
  const isPerson = member.kind === 'key' ? body.isHuman === true : body.isHuman !== false
  const message = queuedMessage({
    id,
    conversationId: row.id,
    at: isoNow(parts.clock),
    shown,
    author: {
      authorKind: isPerson && member.kind === 'person' ? 'person' : 'api',
      authorId: callerId(member),
      authorName: member.name,
    },
    replyToWamid: quoted?.wamid ?? null,
    clientKey: body.clientKey ?? null,
    sent,
  })
  const replier = isPerson && member.kind === 'person' ? { id: member.userId, name: member.name } : undefined
  const reply = await applyReply(write, row, replier, parts)
  const [inserted] = await insertMessages(db, [message], { orgId })
  if (!inserted) throw new Error('A new message was not stored')
  if (file) await parts.files.take(write, file.received, { messageId: message.id, mime: file.mime, name: file.name })
  setLastMessage(row, { ...message, seq: inserted.seq })
  const { from, wasArchived } = applySent(row, { isPerson, isTemplate: sent.type === 'template' })
  await saveConversations(db, [row], { orgId })
  await reply.save()
  const lane = isPerson ? 'person' : 'bot'
  const { id: conversationId, connection_id: connectionId } = row
  const fileId = file?.received.id
  await parts.outbox.enqueueMessage(write, { conversationId, connectionId, messageId: message.id, fileId, lane })
  const waiting = await parts.outbox.findWaiting(db, orgId, { conversationId, messageIds: [message.id] })
  const tags = await readTagsOfContacts(db, orgId, [row.contact_id])
  const conversation = presentConversation(row, tags.get(row.contact_id))
  const quotes = new Map(quoted ? [[quoted.wamid, quoted]] : [])
  const facts = messageFacts(newMessageRow(message, file && storedMedia(file)), {
    quotes,
    reactions: new Map(),
    waiting,
  })
  const ref = conversationRef(row)
  write.emit({ type: 'message.sent', data: { ...ref, message: facts, conversation, by, past: false } })
  if (wasArchived) write.emit({ type: 'conversation.unarchived', data: { ...ref, by } })
  reply.emitEvents()
  if (from !== row.control)
    write.emit({ type: 'conversation.controlChanged', data: { ...ref, from, to: row.control, by } })
  return { message: withFailure(facts, sayFailure), row }
}

/** @throws INBOX_MESSAGE_NOT_FOUND, also for a message of the customer. */
const getSent = async (db: Db, member: OrgCaller, id: string): Promise<MessageRow> => {
  const message = await findMessage(db, member, id)
  if (message?.direction !== 'out') throw inboxErrors.MESSAGE_NOT_FOUND()
  return message
}

/**
 * Sends a failed message again as a new attempt. It keeps its place in the thread. @throws INBOX_MESSAGE_NOT_FOUND,
 * INBOX_MESSAGE_NOT_FAILED, INBOX_MESSAGE_UNCONFIRMED, INBOX_RETRY_USELESS, INBOX_NOT_CONNECTED, INBOX_WINDOW_CLOSED.
 */
export async function sendAgain(
  write: OrgWrite,
  member: OrgCaller,
  id: string,
  sayFailure: SayFailure,
  parts: SendParts,
): Promise<Message> {
  const { db, orgId } = write
  const failed = await getSent(db, member, id)
  if (failed.unconfirmed) throw inboxErrors.MESSAGE_UNCONFIRMED()
  if (failed.status !== 'failed') throw inboxErrors.MESSAGE_NOT_FAILED()
  if (failed.error_code !== null && failsAgain(failed.error_code))
    throw inboxErrors.RETRY_USELESS({ params: { code: failed.error_code } })
  if (failed.type !== 'text' && !(await hasOutbound(db, orgId, id))) throw inboxErrors.MESSAGE_TYPE_UNSUPPORTED()
  const rows = await findRows.byId(db, [failed.conversation_id], { orgId })
  const row = chooseConversation(rows, await listOwnNumbers(db, orgId), { phone: undefined, isOne: true })
  if (!row) throw inboxErrors.MESSAGE_NOT_FOUND()
  if (failed.type !== 'template') requireWindow(row.window_closes_at, parts.clock)
  await applyDelivery(write, { messageId: id }, { kind: 'requeued', at: isoNow(parts.clock) }, parts)
  const { id: conversationId, connection_id: connectionId } = row
  const fileId = failed.media_id ?? undefined
  await parts.outbox.enqueueMessage(write, { conversationId, connectionId, messageId: id, fileId })
  return presentOne(db, orgId, await getSent(db, member, id), sayFailure, parts)
}

/**
 * Cancels a queued message. It becomes failed, keeps its text and can be sent again. @throws INBOX_MESSAGE_NOT_FOUND,
 * INBOX_MESSAGE_IN_FLIGHT, INBOX_MESSAGE_NOT_WAITING (also when it was cancelled before).
 */
export async function cancelSend(
  write: OrgWrite,
  member: OrgCaller,
  id: string,
  sayFailure: SayFailure,
  parts: SendParts,
): Promise<Message> {
  const { db, orgId } = write
  await getSent(db, member, id)
  const outcome = await parts.outbox.cancelMessage(write, id)
  if (outcome === 'inFlight') throw inboxErrors.MESSAGE_IN_FLIGHT()
  if (outcome === 'gone') throw inboxErrors.MESSAGE_NOT_WAITING()
  const at = isoNow(parts.clock)
  await applyDelivery(write, { messageId: id }, { kind: 'failed', code: 'CANCELLED', at }, parts)
  return presentOne(db, orgId, await getSent(db, member, id), sayFailure, parts)
}

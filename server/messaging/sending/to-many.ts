import { emitOpened, type Opened } from '#server/messaging/conversations/changes/opened.ts'
import { newConversation, setBulkMessage } from '#server/messaging/conversations/conversations.ts'
import { findRows, type ListRow, neverActive } from '#server/messaging/conversations/rows/list-row-store.ts'
import { listOwnNumbers, type OwnNumber } from '#server/messaging/conversations/rows/number-store.ts'
import { insertUnbegun, saveLastMessages } from '#server/messaging/conversations/rows/save-store.ts'
import { type DirectoryParts, openDirectory } from '#server/messaging/directory/directory.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { failMessages, requeueMessages } from '#server/messaging/messages/delivery/delivery.ts'
import { conversationOf, findRowsOf } from '#server/messaging/messages/inbound/messages.ts'
import { bulkTime } from '#server/messaging/messages/inbound/order.ts'
import { insertAlike, type NewMessage } from '#server/messaging/messages/message-store.ts'
import type { Outbox } from '#server/messaging/outbox/outbox.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { type ReadyTemplate, shownTemplate } from './outbound.ts'
import { queuedMessage } from './queued-message.ts'

export { listOwnNumbers }

/** A recipient. `id` becomes the message's id, so that a message is never sent twice. */
interface BulkMessage {
  readonly id: string
  /** Digits. */
  readonly phone: string
  readonly ready: ReadyTemplate
}

interface ToManyParts extends DirectoryParts {
  readonly outbox: Pick<Outbox, 'enqueueMessages' | 'cancelMessages'>
}

const sentOf = ({ ready }: BulkMessage) => ({ type: 'template', template: ready.message }) as const

const newMessage = (one: BulkMessage, row: ListRow, { author, at }: { author: EventActor; at: string }) =>
  queuedMessage({
    id: one.id,
    conversationId: row.id,
    at,
    shown: shownTemplate(one.ready),
    author: { authorKind: 'bulk', authorId: author.id, authorName: author.name },
    sent: sentOf(one),
  })

/** The conversations of these people on a number. Missing contacts and conversations are created. */
const rowsFor = async (
  write: OrgWrite,
  number: OwnNumber,
  many: readonly BulkMessage[],
  parts: ToManyParts,
): Promise<ReadonlyMap<string, ListRow>> => {
  const { db, orgId } = write
  const { clock, ids } = parts
  const at = isoNow(clock)
  const senders = many.map(({ phone }) => ({ waId: phone }))
  const directory = await openDirectory(db, orgId, senders, parts)
  const contacts = senders.map(sender => directory.ensure(sender))
  await directory.save()
  // New contacts have no conversation, and most recipients may be new.
  const known = contacts.filter(({ isNew }) => !isNew)
  const found = await findRowsOf(
    db,
    orgId,
    known.map(({ id }) => id),
  )
  const rows = new Map<string, ListRow>()
  const opened: Opened[] = []
  for (const [i, contact] of contacts.entries()) {
    const key = conversationOf(contact, number)
    const row = found.get(key) ?? newConversation({ id: ids(clock.now().getTime()), orgId, at, contact, number })
    if (!found.has(key)) {
      row.last_activity_at = neverActive
      opened.push({ row, contact })
      found.set(key, row)
    }
    rows.set((many[i] as BulkMessage).id, row)
  }
  // Messages refer to these rows.
  if (opened[0]) {
    const { kind, control, created_at: createdAt } = opened[0].row
    const fresh = opened.map(({ row }) => row)
    await insertUnbegun(db, fresh, {
      orgId,
      connectionId: number.id,
      kind,
      control,
      lastActivityAt: neverActive,
      createdAt,
    })
    emitOpened(write, opened)
  }
  return rows
}

/**
 * Stores one template message for each recipient and queues it in lane `bulk`, in the caller's transaction. Emits one
 * `message.sentToMany`. Returns conversation ids by message id. @throws INBOX_NOT_CONNECTED
 */
export async function sendToMany(
  write: OrgWrite,
  { connectionId, author, many }: { connectionId: string; author: EventActor; many: readonly BulkMessage[] },
  parts: ToManyParts,
): Promise<ReadonlyMap<string, string>> {
  const { db, orgId } = write
  const number = (await listOwnNumbers(db, orgId)).find(({ id }) => id === connectionId)
  if (!number?.isConnected) throw inboxErrors.NOT_CONNECTED()
  const now = isoNow(parts.clock)
  const rows = await rowsFor(write, number, many, parts)
  const messages = many.map(one => {
    const row = rows.get(one.id) as ListRow
    return newMessage(one, row, { author, at: bulkTime(row, now) })
  })
  const seqOf = new Map<string, number>()
  // Nearly all have the same time.
  for (const [at, alike] of Map.groupBy(messages, message => message.at))
    for (const { id, seq } of await insertAlike(db, alike, { ...(alike[0] as NewMessage), at, orgId }))
      seqOf.set(id, seq)
  const stored = many.flatMap((one, i) => {
    const [seq, message] = [seqOf.get(one.id), messages[i]]
    return seq === undefined || !message ? [] : [{ one, message, row: rows.get(one.id) as ListRow, seq }]
  })
  const shown = stored.flatMap(({ message, row, seq }) => (setBulkMessage(row, { ...message, seq }) ? [row] : []))
  await saveLastMessages(db, [...new Set(shown)], { orgId })
  await parts.outbox.enqueueMessages(
    write,
    stored.map(({ one, message, row }) => ({
      conversationId: row.id,
      connectionId,
      messageId: message.id,
      lane: 'bulk',
      fresh: {
        content: sentOf(one),
        to: row.wa_id ?? row.bsuid,
        isUnconfirmedContact: row.last_inbound_wamid === null,
      },
    })),
  )
  const people = stored.map(({ row }) => ({ contactId: row.contact_id, windowClosesAt: row.window_closes_at }))
  if (people.length) write.emit({ type: 'message.sentToMany', data: { people, by: author } })
  return new Map(stored.map(({ one, row }) => [one.id, row.id]))
}

/**
 * Sends those of these messages again that certainly failed. They keep their place in the thread. Returns conversation
 * ids by message id.
 */
export async function sendAgainToMany(
  write: OrgWrite,
  messageIds: readonly string[],
  parts: ToManyParts,
): Promise<ReadonlyMap<string, string>> {
  const { db, orgId } = write
  const messages = await requeueMessages(write, messageIds, parts)
  const ids = messages.map(({ conversationId }) => conversationId)
  const rows = new Map((await findRows.byId(db, ids, { orgId })).map(row => [row.id, row]))
  await parts.outbox.enqueueMessages(
    write,
    messages.map(({ id, conversationId }) => ({
      conversationId,
      connectionId: (rows.get(conversationId) as ListRow).connection_id,
      messageId: id,
      lane: 'bulk',
    })),
  )
  return new Map(messages.map(({ id, conversationId }) => [id, conversationId]))
}

/** Cancels those of these messages that are still queued. Each fails with code CANCELLED. */
export async function cancelQueued(write: OrgWrite, messageIds: readonly string[], parts: ToManyParts): Promise<void> {
  await failMessages(write, await parts.outbox.cancelMessages(write, messageIds), 'CANCELLED', parts)
}

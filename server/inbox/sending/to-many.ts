import type { EventActor } from '#shared/events/actor.ts'
import { type Clock, isoNow } from '../../clock.ts'
import type { OrgWrite } from '../../events/writes.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import { openDirectory } from '../contacts/contacts.ts'
import { landMessage, newConversation, saveConversations } from '../conversations/conversations.ts'
import { type ListRow, tagsOf } from '../conversations/list-row.ts'
import { listOwnNumbers, type OwnNumber } from '../conversations/number-store.ts'
import { inboxErrors } from '../errors.ts'
import { failMessages } from '../messages/delivery.ts'
import { conversationOf, findRowsOf } from '../messages/inbound-messages.ts'
import { insertMessages, type NewMessage, newMessageRow } from '../messages/message-store.ts'
import { messageFacts, placeOf, presentConversation } from '../present.ts'
import { type ReadyTemplate, shownTemplate } from './outbound.ts'
import { saveOutbound } from './send-store.ts'

export { listOwnNumbers }

/** One of many: `id` becomes its message's, so that the same is never sent twice. */
export interface OneOfMany {
  readonly id: string
  /** Digits */
  readonly phone: string
  readonly ready: ReadyTemplate
}

export interface ToManyParts {
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly outbox: Pick<Outbox, 'enqueueMessages' | 'cancelMessages'>
}

/** Whom nobody has heard of yet stands behind everybody in the list. */
const neverActive = '1970-01-01T00:00:00.000Z'

/** The message becomes the last one, and the conversation stays where it is in the list until the customer answers. */
const landQuietly = (row: ListRow, message: Parameters<typeof landMessage>[1]) => {
  const { last_activity_at: before } = row
  landMessage(row, message)
  row.last_activity_at = before
}

const newMessage = (
  { id, ready }: OneOfMany,
  row: ListRow,
  { author, at }: { author: EventActor; at: string },
): NewMessage => {
  const shown = shownTemplate(ready)
  return {
    id,
    conversationId: row.id,
    wamid: null,
    direction: 'out',
    type: shown.type,
    text: shown.text,
    content: shown.content ? JSON.stringify(shown.content) : null,
    at,
    status: 'queued',
    sentAt: null,
    replyToWamid: null,
    authorKind: 'bulk',
    authorId: author.id,
    authorName: author.name,
    clientKey: null,
  }
}

/** The rows of these people on a number; strangers become contacts, and who has no conversation there gets one. */
const rowsFor = async (
  { db, orgId }: OrgWrite,
  number: OwnNumber,
  many: readonly OneOfMany[],
  { clock, ids }: ToManyParts,
): Promise<ReadonlyMap<string, ListRow>> => {
  const at = isoNow(clock)
  const senders = many.map(({ phone }) => ({ waId: phone }))
  const directory = await openDirectory(db, orgId, senders, { clock, ids })
  const contacts = many.map((_, i) => {
    const sender = senders[i] as { waId: string }
    return directory.find(sender) ?? directory.place(sender, at)
  })
  await directory.save()
  const found = await findRowsOf(
    db,
    orgId,
    contacts.map(({ id }) => id),
  )
  const rows = new Map<string, ListRow>()
  for (const [i, contact] of contacts.entries()) {
    const key = conversationOf(contact, number)
    const row = found.get(key) ?? newConversation({ id: ids(clock.now().getTime()), orgId, at, contact, number })
    if (!found.has(key)) row.last_activity_at = neverActive
    found.set(key, row)
    rows.set((many[i] as OneOfMany).id, row)
  }
  // Their messages name them.
  await saveConversations(db, [...new Set(rows.values())], { orgId })
  return rows
}

/**
 * Stores one template message for each of these people and queues it behind everything that answers somebody, in the
 * caller's transaction. Emits `message.sent` for each, `bulk`. Answers the conversation of each by id.
 * @throws INBOX_NOT_CONNECTED
 */
export async function sendToMany(
  write: OrgWrite,
  { connectionId, author, many }: { connectionId: string; author: EventActor; many: readonly OneOfMany[] },
  parts: ToManyParts,
): Promise<ReadonlyMap<string, string>> {
  const { db, orgId } = write
  const number = (await listOwnNumbers(db, orgId)).find(({ id }) => id === connectionId)
  if (!number?.isConnected) throw inboxErrors.NOT_CONNECTED()
  const at = isoNow(parts.clock)
  const rows = await rowsFor(write, number, many, parts)
  const messages = many.map(one => newMessage(one, rows.get(one.id) as ListRow, { author, at }))
  const seqOf = new Map((await insertMessages(db, messages, { orgId })).map(({ id, seq }) => [id, seq]))
  const stored = many.flatMap((one, i) => {
    const [seq, message] = [seqOf.get(one.id), messages[i]]
    return seq === undefined || !message ? [] : [{ one, message, row: rows.get(one.id) as ListRow, seq }]
  })
  await saveOutbound(
    db,
    orgId,
    stored.map(({ one }) => ({ id: one.id, content: { type: 'template', template: one.ready.message } })),
  )
  for (const { message, row, seq } of stored) landQuietly(row, { ...message, seq })
  await saveConversations(db, [...new Set(stored.map(({ row }) => row))], { orgId })
  await parts.outbox.enqueueMessages(
    write,
    stored.map(({ message, row }) => ({ conversationId: row.id, connectionId, messageId: message.id, lane: 'bulk' })),
  )
  const tags = await tagsOf(
    db,
    orgId,
    stored.map(({ row }) => row.contact_id),
  )
  for (const { message, row } of stored)
    write.emit({
      type: 'message.sent',
      data: {
        ...placeOf(row),
        message: messageFacts(newMessageRow(message), { quotes: new Map(), reactions: new Map() }),
        conversation: presentConversation(row, tags.get(row.contact_id)),
        by: author,
        past: false,
        bulk: true,
      },
    })
  return new Map(stored.map(({ one, row }) => [one.id, row.id]))
}

/** Takes back those of these messages that have not left; each fails as cancelled. */
export async function takeBack(write: OrgWrite, messageIds: readonly string[], parts: ToManyParts): Promise<void> {
  await failMessages(write, await parts.outbox.cancelMessages(write, messageIds), 'CANCELLED', parts)
}

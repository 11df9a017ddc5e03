import { isOpenFor, setLastMessage } from '#server/messaging/conversations/conversations.ts'
import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { insertMessages } from '#server/messaging/messages/message-store.ts'
import type { Outbox } from '#server/messaging/outbox/outbox.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { shownContent } from '#server/whatsapp/kinds/registry.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import { type ReadyTemplate, shownTemplate } from './outbound.ts'
import { emitQueued, queuedMessage } from './queued-message.ts'

interface AsBotParts {
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'enqueueMessages'>
}

/** `id` becomes the message's id. A message that is stored with this id is not sent again. */
interface BotMessage {
  readonly id: string
  readonly content:
    | Extract<OutboundMessage, { type: 'text' | 'interactive' | 'linked' }>
    | { readonly type: 'template'; readonly ready: ReadyTemplate }
}

const sentOf = (content: BotMessage['content']): OutboundMessage =>
  content.type === 'template' ? { type: 'template', template: content.ready.message } : content

/** The messages of a flow in one conversation, in order. */
interface BotMessages {
  readonly conversationId: string
  readonly messages: readonly BotMessage[]
  readonly by: EventActor
}

/** The conversations of these sends. @throws when one of them cannot be written to */
const rowsFor = async ({ db, orgId }: OrgWrite, sends: readonly BotMessages[], now: number) => {
  const ids = sends.map(({ conversationId }) => conversationId)
  const rows = new Map((await findRows.byId(db, ids, { orgId })).map(row => [row.id, row]))
  const numbers = await listOwnNumbers(db, orgId)
  for (const { conversationId, messages } of sends) {
    const row = rows.get(conversationId)
    if (!row) throw new Error('A flow writes to a conversation that is not there')
    const isFree = messages.some(({ content }) => content.type !== 'template')
    if (isFree && !isOpenFor(row, now)) throw new Error('A flow writes to a closed window')
    const number = numbers.find(({ id }) => id === row.connection_id)
    if (!number?.isConnected) throw new Error('A flow writes by a number that is not connected')
  }
  return rows
}

const draftsOf = ({ conversationId, messages, by }: BotMessages, row: ListRow, at: string) =>
  messages.map(({ id, content }) => ({
    row,
    by,
    message: queuedMessage({
      id,
      conversationId,
      at,
      shown: content.type === 'template' ? shownTemplate(content.ready) : shownContent(content),
      author: { authorKind: 'bot', authorId: by.id, authorName: by.name },
      sent: sentOf(content),
    }),
  }))

/**
 * Stores what flows say and queues it in lane `bot`, in the caller's transaction. Does not change who controls a
 * conversation. Emits `message.sent` for each message. @throws when the number is not connected, the window is closed
 * for a message that is no template, or a conversation is gone
 */
export async function sendAsBot(
  write: OrgWrite,
  given: readonly BotMessages[],
  { clock, outbox }: AsBotParts,
): Promise<void> {
  const sends = given.filter(({ messages }) => messages.length)
  if (!sends.length) return
  const { db, orgId } = write
  const rows = await rowsFor(write, sends, clock.now().getTime())
  const at = isoNow(clock)
  const drafts = sends.flatMap(sent => draftsOf(sent, rows.get(sent.conversationId) as ListRow, at))
  const inserted = await insertMessages(
    db,
    drafts.map(({ message }) => message),
    { orgId },
  )
  const seqOf = new Map(inserted.map(({ id, seq }) => [id, seq]))
  const fresh = drafts.filter(({ message }) => seqOf.has(message.id))
  for (const { message, row } of fresh) setLastMessage(row, { ...message, seq: seqOf.get(message.id) as number })
  await saveConversations(db, [...new Set(fresh.map(({ row }) => row))], { orgId })
  await outbox.enqueueMessages(
    write,
    fresh.map(({ message, row }) => ({
      conversationId: row.id,
      connectionId: row.connection_id,
      messageId: message.id,
      lane: 'bot',
    })),
  )
  for (const some of Map.groupBy(fresh, ({ by }) => by.id).values())
    if (some[0]) await emitQueued(write, some, { by: some[0].by })
}

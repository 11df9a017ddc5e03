import type { EventActor } from '#shared/events/actor.ts'
import { windowSafetyMs } from '#shared/limits.ts'
import type { OutboundMessage } from '#shared/outbound.ts'
import { type Clock, isoNow } from '../../clock.ts'
import type { OrgWrite } from '../../events/writes.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import { setLastMessage } from '../conversations/conversations.ts'
import { findRows, type ListRow } from '../conversations/list-row-store.ts'
import { listOwnNumbers } from '../conversations/number-store.ts'
import { saveConversations } from '../conversations/save-store.ts'
import { insertMessages } from '../messages/message-store.ts'
import { type ReadyTemplate, shownOf, shownTemplate } from './outbound.ts'
import { emitQueued, queuedMessage } from './queued-message.ts'
import { saveOutbound } from './send-store.ts'

export interface AsBotParts {
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'enqueueMessages'>
}

/** `id` becomes the message's: what is stored under it already is not sent again. */
export interface BotMessage {
  readonly id: string
  readonly content:
    | Extract<OutboundMessage, { type: 'text' | 'interactive' | 'linked' }>
    | { readonly type: 'template'; readonly ready: ReadyTemplate }
}

/** The window is open, with some time to spare for the way. */
export const isOpenFor = (row: Pick<ListRow, 'window_closes_at'>, now: number): boolean =>
  row.window_closes_at !== null && Date.parse(row.window_closes_at) - windowSafetyMs > now

const sentOf = (content: BotMessage['content']): OutboundMessage =>
  content.type === 'template' ? { type: 'template', template: content.ready.message } : content

/**
 * Stores what a flow says and queues it behind what people write, in the caller's transaction, in this order. Who has the
 * conversation stays. Emits `message.sent` for each.
 * @throws when the number is not connected, the window is closed to what is no template, or the conversation is gone
 */
export async function sendAsBot(
  write: OrgWrite,
  { conversationId, messages, by }: { conversationId: string; messages: readonly BotMessage[]; by: EventActor },
  { clock, outbox }: AsBotParts,
): Promise<void> {
  if (!messages.length) return
  const { db, orgId } = write
  const [row] = await findRows.byId(db, [conversationId], { orgId })
  if (!row) throw new Error('A flow writes to a conversation that is not there')
  const isFree = messages.some(({ content }) => content.type !== 'template')
  if (isFree && !isOpenFor(row, clock.now().getTime())) throw new Error('A flow writes to a closed window')
  const number = (await listOwnNumbers(db, orgId)).find(({ id }) => id === row.connection_id)
  if (!number?.isConnected) throw new Error('A flow writes by a number that is not connected')
  const at = isoNow(clock)
  const drafts = messages.map(({ id, content }) => ({
    content,
    message: queuedMessage({
      id,
      conversationId,
      at,
      shown: content.type === 'template' ? shownTemplate(content.ready) : shownOf(content),
      author: { authorKind: 'bot', authorId: by.id, authorName: by.name },
    }),
  }))
  const inserted = await insertMessages(
    db,
    drafts.map(({ message }) => message),
    { orgId },
  )
  const seqOf = new Map(inserted.map(({ id, seq }) => [id, seq]))
  const fresh = drafts.filter(({ message }) => seqOf.has(message.id))
  const kept = fresh.filter(({ content }) => content.type !== 'text')
  if (kept.length)
    await saveOutbound(
      db,
      orgId,
      kept.map(({ message, content }) => ({ id: message.id, content: sentOf(content) })),
    )
  for (const { message } of fresh) setLastMessage(row, { ...message, seq: seqOf.get(message.id) as number })
  await saveConversations(db, [row], { orgId })
  await outbox.enqueueMessages(
    write,
    fresh.map(({ message }) => ({
      conversationId,
      connectionId: row.connection_id,
      messageId: message.id,
      lane: 'bot',
    })),
  )
  await emitQueued(
    write,
    fresh.map(({ message }) => ({ message, row })),
    { by },
  )
}

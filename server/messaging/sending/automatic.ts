import { isOpenFor, setLastMessage } from '#server/messaging/conversations/conversations.ts'
import { findRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { insertMessages } from '#server/messaging/messages/message-store.ts'
import type { Outbox } from '#server/messaging/outbox/outbox.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { emitQueued, queuedMessage } from './queued-message.ts'

interface AutomaticParts {
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly outbox: Pick<Outbox, 'enqueueMessage'>
}

/**
 * Stores an automatic answer and queues it in lane `bot`, in the caller's transaction. Does not change who controls the
 * conversation. Does nothing when the window is closed or the number is not connected. Emits `message.sent`. @param
 * part which part of the product answers
 */
export async function sendAutomaticText(
  write: OrgWrite,
  { conversationId, text, part }: { conversationId: string; text: string; part: string },
  { clock, ids, outbox }: AutomaticParts,
): Promise<void> {
  const { db, orgId } = write
  const [row] = await findRows.byId(db, [conversationId], { orgId })
  const now = clock.now().getTime()
  if (!row || !isOpenFor(row, now)) return
  const number = (await listOwnNumbers(db, orgId)).find(({ id }) => id === row.connection_id)
  if (!number?.isConnected) return
  const message = queuedMessage({
    id: ids(now),
    conversationId,
    at: isoNow(clock),
    shown: { type: 'text', text },
    author: { authorKind: 'bot', authorId: part, authorName: null },
  })
  const [inserted] = await insertMessages(db, [message], { orgId })
  if (!inserted) throw new Error('A new message was not stored')
  setLastMessage(row, { ...message, seq: inserted.seq })
  await saveConversations(db, [row], { orgId })
  await outbox.enqueueMessage(write, {
    conversationId,
    connectionId: row.connection_id,
    messageId: message.id,
    lane: 'bot',
  })
  await emitQueued(write, [{ message, row }], { by: systemActor(part) })
}

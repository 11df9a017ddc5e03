import { type ListRow, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, presentConversation } from '#server/messaging/conversations/shown/present.ts'
import { type NewMessage, newMessageRow } from '#server/messaging/messages/message-store.ts'
import { messageFacts } from '#server/messaging/messages/present.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Shown } from '#server/whatsapp/kinds/kind.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'

interface Queued {
  readonly id: string
  readonly conversationId: string
  readonly at: string
  readonly shown: Shown
  readonly author: Pick<NewMessage, 'authorKind' | 'authorId' | 'authorName'>
  readonly replyToWamid?: string | null
  readonly clientKey?: string | null
  /** The message to send, if it differs from the shown text. */
  readonly sent?: OutboundMessage
}

/** A new outbound message with status `queued`. */
export const queuedMessage = ({
  id,
  conversationId,
  at,
  shown,
  author,
  replyToWamid,
  clientKey,
  sent,
}: Queued): NewMessage => ({
  id,
  conversationId,
  wamid: null,
  direction: 'out',
  type: shown.type,
  text: shown.text,
  content: shown.content ? JSON.stringify(shown.content) : null,
  at,
  status: 'queued',
  sentAt: null,
  replyToWamid: replyToWamid ?? null,
  ...author,
  clientKey: clientKey ?? null,
  outbound: sent === undefined || sent.type === 'text' ? null : JSON.stringify(sent),
})

/** Emits `message.sent` for messages that the product itself stored. The rows are read again after the writes. */
export async function emitQueued(
  { db, orgId, emit }: OrgWrite,
  stored: readonly { readonly message: NewMessage; readonly row: ListRow }[],
  { by }: { by: EventActor },
): Promise<void> {
  const contactIds = stored.map(({ row }) => row.contact_id)
  const tags = await readTagsOfContacts(db, orgId, contactIds)
  for (const { message, row } of stored)
    emit({
      type: 'message.sent',
      data: {
        ...conversationRef(row),
        message: messageFacts(newMessageRow(message), { quotes: new Map(), reactions: new Map() }),
        conversation: presentConversation(row, tags.get(row.contact_id)),
        by,
        past: false,
      },
    })
}

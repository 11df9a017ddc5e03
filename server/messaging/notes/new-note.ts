import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef } from '#server/messaging/conversations/shown/present.ts'
import {
  insertMessages,
  type MessageCore,
  type NewMessage,
  newMessageRow,
} from '#server/messaging/messages/message-store.ts'
import { messageFacts } from '#server/messaging/messages/present.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'

interface NoteFacts {
  readonly text: string
  readonly author: { readonly kind: 'person' | 'api' | 'bot'; readonly id: string | null; readonly name: string | null }
  readonly mentions?: readonly { readonly id: string; readonly name: string }[]
}

export const noteContent = (authorId: string, mentions: NonNullable<NoteFacts['mentions']>): string =>
  JSON.stringify({ note: { authorId, mentions: mentions.map(({ id, name }) => ({ id, name })) } })

/** A note is a message of the thread, which is never sent. Emits `note.added`. */
export async function insertNote(
  { db, orgId, emit }: OrgWrite,
  row: ListRow,
  { text, author, mentions = [] }: NoteFacts,
  { clock, ids }: { readonly clock: Clock; readonly ids: (at?: number) => string },
): Promise<MessageCore> {
  const message: NewMessage = {
    id: ids(clock.now().getTime()),
    conversationId: row.id,
    wamid: null,
    direction: 'internal',
    type: 'note',
    text,
    content: noteContent(author.id ?? '', mentions),
    at: isoNow(clock),
    status: 'received',
    sentAt: null,
    replyToWamid: null,
    authorKind: author.kind,
    authorId: author.id,
    authorName: author.name,
    clientKey: null,
    outbound: null,
  }
  await insertMessages(db, [message], { orgId })
  const stored = newMessageRow(message)
  const facts = messageFacts(stored, { quotes: new Map(), reactions: new Map() })
  emit({ type: 'note.added', data: { ...conversationRef(row), message: facts } })
  return stored
}

import { sql } from 'kysely'
import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { selectMessages } from '#server/messaging/messages/message-store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { GalleryKind } from '#shared/contacts/chat-contact.ts'

/** Must equal the indexes' expressions. Parameters would keep them from being used. */
const isOfKind = {
  pictures: sql<boolean>`message.type in ('image', 'video')`,
  documents: sql<boolean>`message.type = 'document'`,
  audio: sql<boolean>`message.type in ('audio', 'voice')`,
  links: sql<boolean>`message.text like '%http%://%'`,
} as const satisfies Record<GalleryKind, unknown>

interface GalleryQuery {
  readonly conversationId: string
  readonly kind: GalleryKind
  readonly limit: number
  readonly offset: number
}

/**
 * Messages of a conversation with a file or a link, newest first. Without deleted and unsent ones, and without notes.
 */
export const selectGallery = (
  db: Db,
  { orgId, scope }: Viewer,
  { conversationId, kind, limit, offset }: GalleryQuery,
) =>
  selectMessages(db)
    .where('message.conversation_id', '=', conversationId)
    .where(isOfKind[kind])
    .where('message.org_id', '=', orgId)
    .where('message.direction', '<>', 'internal')
    .where('message.revoked_at', 'is', null)
    .where('message.status', '<>', 'failed')
    .where(seenThrough(scope, 'message.conversation_id'))
    .orderBy('message.at', 'desc')
    .orderBy('message.seq', 'desc')
    .limit(limit)
    .offset(offset)

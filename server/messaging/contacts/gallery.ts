import { requireChat } from '#server/messaging/conversations/chat.ts'
import { presentMessage } from '#server/messaging/messages/present.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { contactsApi } from '#shared/contacts/api.ts'
import { type GalleryKind, galleryKinds, galleryPerPage } from '#shared/contacts/chat-contact.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { selectGallery } from './gallery-store.ts'

/** The gallery shows no failures, quotes or reactions. */
const bare = {
  quotes: new Map<string, never>(),
  reactions: new Map<string, never[]>(),
  sayFailure: (code: string) => ({ code, message: code }),
}

/** The files and links of a chat. */
export const createGallery = (databases: Databases): Pick<ServiceOf<typeof contactsApi, OrgCaller>, 'listGallery'> => ({
  async listGallery(viewer, { params, query }) {
    const { id } = await requireChat(databases.read, viewer, params.phone)
    const page = query.page ?? 1
    const ofChat = { conversationId: id, kind: query.kind, offset: (page - 1) * galleryPerPage }
    const found = await selectGallery(databases.read, viewer, { ...ofChat, limit: galleryPerPage + 1 }).execute()
    const kinds: GalleryKind[] = []
    for (const kind of galleryKinds) {
      const [first] = await selectGallery(databases.read, viewer, { ...ofChat, kind, limit: 1, offset: 0 }).execute()
      if (first) kinds.push(kind)
    }
    return {
      kinds,
      items: found.slice(0, galleryPerPage).map(row => presentMessage(row, bare)),
      page,
      pageSize: galleryPerPage,
      hasMore: found.length > galleryPerPage,
    }
  },
})

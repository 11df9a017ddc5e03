import { requireChat } from '#server/messaging/conversations/chat.ts'
import { conversationRef } from '#server/messaging/conversations/shown/present.ts'
import type { MessageFacts } from '#server/messaging/events.ts'
import type { ThreadPlace } from '#server/messaging/messages/history/thread-store.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { contactsApi } from '#shared/contacts/api.ts'
import { contactActivityPerPart } from '#shared/contacts/chat-contact.ts'
import { addressOfEvent } from '#shared/inbox/chat-address.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { selectActivity } from './activity-store.ts'
import { listConversationsOf } from './contact-details-store.ts'

/** The end of a page, to be passed as `after` for the next one. */
const cursorOf = ({ at, seq }: ThreadPlace): string => `${Date.parse(at)}-${seq}`
const placeAt = (cursor: string): ThreadPlace => {
  const [ms, seq] = cursor.split('-').map(Number) as [number, number]
  return { at: new Date(ms).toISOString(), seq }
}
const newestFirst = (a: ThreadPlace, b: ThreadPlace) => (a.at === b.at ? b.seq - a.seq : a.at < b.at ? 1 : -1)

const activityIn = (content: string | null) => (JSON.parse(content ?? '{}') as Pick<MessageFacts, 'activity'>).activity

/** Lists the activity lines of all threads of a contact: what was done, by whom and when. */
export const createActivityList = (
  databases: Databases,
): Pick<ServiceOf<typeof contactsApi, OrgCaller>, 'listActivity'> => ({
  async listActivity(viewer, { params, query }) {
    const db = databases.read
    const { contact_id: contactId } = await requireChat(db, viewer, params.phone)
    const chats = new Map(
      (await listConversationsOf(db, viewer, { contactId })).map(row => [row.id, addressOfEvent(conversationRef(row))]),
    )
    if (!chats.size) return { items: [], next: null }
    const found = await selectActivity(db, viewer, {
      conversationIds: [...chats.keys()],
      before: query.after === undefined ? undefined : placeAt(query.after),
      limit: contactActivityPerPart + 1,
    }).execute()
    const part = found.sort(newestFirst).slice(0, contactActivityPerPart)
    const last = part.at(-1)
    return {
      items: part.flatMap(({ id, at, conversation_id: conversationId, content }) => {
        const activity = activityIn(content)
        return activity ? [{ id, at, chat: chats.get(conversationId) ?? params.phone, activity }] : []
      }),
      next: last && found.length > part.length ? cursorOf(last) : null,
    }
  },
})

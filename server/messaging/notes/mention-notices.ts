import { shortName } from '#server/messaging/conversations/shown/present.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify } from '#server/platform/events/notify.ts'

/** Notifies people who are mentioned in a note, except its author. */
export const createMentionNotices = ({ notify }: Pick<Notify, 'notify'>): TransactionListener<'note.mentioned'> => ({
  name: 'mention notices',
  on: ['note.mentioned'],
  async handle(write, events) {
    for (const event of events) {
      const { conversationId, number, address = number, name, userIds, by } = event.data
      const others = userIds.filter(id => id !== by.id)
      const words = { key: 'mentioned', params: { name: shortName(name), by: shortName(by.name ?? '') } }
      // It is combined with this conversation's unread messages, and says that somebody mentioned them.
      const conversation = { id: conversationId, several: words }
      await notify(write, { userIds: others, words, conversation, redirect: `/${address}` }, { after: event })
    }
  },
})

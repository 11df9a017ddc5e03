import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import { shortName } from '../people/call-people.ts'

/** Notifies people who are mentioned in a note, never the one who wrote it. */
export const createMentionNotices = ({ notify }: Pick<Notify, 'notify'>): TransactionListener<'note.mentioned'> => ({
  name: 'mention notices',
  on: ['note.mentioned'],
  async handle(write, events) {
    for (const event of events) {
      const { conversationId, number, address = number, name, userIds, by } = event.data
      const others = userIds.filter(id => id !== by.id)
      const words = { key: 'mentioned', params: { name: shortName(name), by: shortName(by.name ?? '') } }
      // With what is unread of this conversation it becomes one, and says that somebody asks for them.
      const conversation = { id: conversationId, several: words }
      await notify(write, { userIds: others, words, conversation, redirect: `/${address}` }, { after: event })
    }
  },
})

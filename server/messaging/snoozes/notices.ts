import { shortName } from '#server/messaging/conversations/shown/present.ts'
import { listRepliers } from '#server/messaging/people/members-store.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify } from '#server/platform/events/notify.ts'

/**
 * Notifies who snoozed a conversation, and its assignee, that it came back. When the customer wrote, the assignee gets
 * the notice of the reply.
 */
export const createSnoozeNotices = ({
  notify,
}: Pick<Notify, 'notify'>): TransactionListener<'conversation.snoozeEnded'> => ({
  name: 'notices of snoozes that ended',
  on: ['conversation.snoozeEnded'],
  async handle(write, events) {
    const news = events.filter(({ data }) => data.why !== 'ended')
    if (!news.length) return
    const repliers = new Set(await listRepliers(write.db, write.orgId))
    for (const event of news) {
      const { conversationId, number, address = number, name, snoozedById, assigneeId, why } = event.data
      const follower = why === 'due' ? assigneeId : null
      const userIds = [...new Set([snoozedById, follower])].filter(
        (id): id is string => id !== null && repliers.has(id) && !(why === 'answered' && id === assigneeId),
      )
      if (!userIds.length) continue
      const key = why === 'due' ? 'snoozeDue' : 'snoozeAnswered'
      const words = { key, params: { name: shortName(name) } }
      const conversation = { id: conversationId, several: words }
      await notify(write, { userIds, words, conversation, redirect: `/${address}` }, { after: event })
    }
  },
})

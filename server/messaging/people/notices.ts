import { sees } from '#server/identity/visibility/scope.ts'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import { findLastWriter } from '#server/messaging/conversations/rows/store.ts'
import { shortName } from '#server/messaging/conversations/shown/present.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { Deriving, TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify, Words } from '#server/platform/events/notify.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { freshMs } from './call-people.ts'
import { listRepliers } from './members-store.ts'

type Waiting = 'conversation.personNeeded' | 'conversation.manyWaiting'
type Received = EventOf<'message.received'>

/** Text for several messages of a customer. The notifier fills in the count. */
const severalWords = (name: string): Words => ({ key: 'several', params: { name } })

interface WaitingNoticesParts extends Pick<Notify, 'notify'> {
  readonly scopes: Pick<Scopes, 'readScopes' | 'readFacts'>
}

/** Groups people by how many of the conversations they see, without those who see none. */
const byCount = async (
  { db, orgId }: Deriving,
  userIds: readonly string[],
  conversationIds: readonly string[],
  scopes: WaitingNoticesParts['scopes'],
): Promise<ReadonlyMap<number, string[]>> => {
  const theirs = await scopes.readScopes(db, orgId, userIds)
  if (!theirs) return new Map([[conversationIds.length, [...userIds]]])
  const facts = await scopes.readFacts(orgId, conversationIds, db)
  return Map.groupBy(userIds, userId => {
    const scope = theirs.get(userId)
    return scope ? conversationIds.filter(id => sees(scope, facts.get(id))).length : 0
  })
}

/** Notifies everybody who may answer that customers wait for a person. */
export const createWaitingNotices = ({ notify, scopes }: WaitingNoticesParts): TransactionListener<Waiting> => ({
  name: 'waiting notices',
  on: ['conversation.personNeeded', 'conversation.manyWaiting'],
  after: ['taps on buttons that do something', 'conversations given out where somebody can have one more'],
  async handle(write, events) {
    const userIds = await listRepliers(write.db, write.orgId)
    for (const event of events) {
      if (event.type === 'conversation.manyWaiting') {
        const counted = await byCount(write, userIds, event.data.conversationIds, scopes)
        for (const [count, some] of counted)
          if (count)
            await notify(write, { userIds: some, words: { key: 'waitingMore', params: { count } } }, { after: event })
        continue
      }
      const { conversationId, number, address = number, name } = event.data
      const words = { key: 'waiting', params: { name } }
      const conversation = { id: conversationId, several: severalWords(name) }
      await notify(write, { userIds, words, conversation, redirect: `/${address}` }, { after: event })
    }
  },
})

/** Notifies a person of a conversation that somebody else assigned to them. */
export const createAssignmentNotices = ({
  notify,
}: Pick<Notify, 'notify'>): TransactionListener<'conversation.assigned'> => ({
  name: 'assignment notices',
  on: ['conversation.assigned'],
  after: ['taps on buttons that do something', 'conversations given out where somebody can have one more'],
  async handle(write, events) {
    for (const event of events) {
      const { conversationId, number, address = number, name, from, to, by } = event.data
      if (to.userId === null || to.userId === from.userId || to.userId === by.id) continue
      const words = { key: 'assigned', params: { name: shortName(name) } }
      const conversation = { id: conversationId, several: severalWords(name) }
      await notify(write, { userIds: [to.userId], words, conversation, redirect: `/${address}` }, { after: event })
    }
  },
})

interface ReplyNoticesParts extends Pick<Notify, 'notify'> {
  readonly clock: Clock
}

/** Notifies the person who controls a conversation, or wrote in it last, of the customer's reaction. */
export const createReactionNotices = ({
  notify,
  clock,
}: ReplyNoticesParts): TransactionListener<'conversation.reacted'> => ({
  name: 'reaction notices',
  on: ['conversation.reacted'],
  async handle(write, events) {
    const news = events.filter(
      ({ data }) => data.control === 'human' && clock.now().getTime() - Date.parse(data.at) <= freshMs,
    )
    if (!news.length) return
    const repliers = new Set(await listRepliers(write.db, write.orgId))
    for (const event of news) {
      const { conversationId, number, address = number, name, emoji, assigneeId } = event.data
      const follower = assigneeId ?? (await findLastWriter(write.db, write.orgId, conversationId))
      if (follower === undefined || !repliers.has(follower)) continue
      const words = { key: 'reacted', params: { name: shortName(name), emoji } }
      const conversation = { id: conversationId, several: severalWords(shortName(name)) }
      await notify(write, { userIds: [follower], words, conversation, redirect: `/${address}` }, { after: event })
    }
  },
})

/**
 * Notifies of customers' messages in conversations that a person controls: the assignee, or the member who wrote last.
 */
export const createReplyNotices = ({ notify, clock }: ReplyNoticesParts): TransactionListener<'message.received'> => {
  const isReply = ({ data }: Received) => data.control === 'human' && !data.past && !data.group
  const isFresh = ({ data }: Received) => clock.now().getTime() - Date.parse(data.message.at) <= freshMs

  const tellFollower = async (write: Deriving, replies: readonly Received[], repliers: ReadonlySet<string>) => {
    const [first] = replies
    if (!first) return
    const { conversationId, number, address = number, conversation } = first.data
    const follower = conversation.assignee?.id ?? (await findLastWriter(write.db, write.orgId, conversationId))
    if (follower === undefined || !repliers.has(follower)) return
    const name = shortName(conversation.name)
    const notice = {
      userIds: [follower],
      words: { key: 'replied', params: { name } },
      conversation: { id: conversationId, count: replies.length, several: severalWords(name) },
      redirect: `/${address}`,
    }
    // The mention notice comes first, so that a mentioned person gets one notice.
    await notify(write, notice, { before: first })
  }

  return {
    name: 'reply notices',
    on: ['message.received'],
    after: ['taps on buttons that do something', 'conversations given out where somebody can have one more'],
    async handle(write, events) {
      const replies = events.filter(event => isReply(event) && isFresh(event))
      if (!replies.length) return
      const repliers = new Set(await listRepliers(write.db, write.orgId))
      for (const some of Map.groupBy(replies, event => event.data.conversationId).values())
        await tellFollower(write, some, repliers)
    },
  }
}

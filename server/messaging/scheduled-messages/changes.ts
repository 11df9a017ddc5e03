import { findRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, nameOf, shortName } from '#server/messaging/conversations/shown/present.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify, Words } from '#server/platform/events/notify.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'
import { type ScheduledRow, takeAnswered } from './store.ts'

type What = EventOf<'message.scheduled'>['data']['what']

/** Emits that a scheduled message of this conversation changed. */
export async function emitScheduled(
  { db, orgId, emit }: Pick<OrgWrite, 'db' | 'orgId' | 'emit'>,
  {
    conversation_id,
    author_kind: kind,
    author_id: id,
  }: Pick<ScheduledRow, 'conversation_id' | 'author_kind' | 'author_id'>,
  what: What,
): Promise<void> {
  const [row] = await findRows.byId(db, [conversation_id], { orgId })
  if (row)
    emit({
      type: 'message.scheduled',
      data: { ...conversationRef(row), name: nameOf(row), author: { kind, id }, what },
    })
}

/** Deletes messages scheduled "unless they answer": the customers of these conversations wrote. */
export async function cancelAnswered(write: OrgWrite, conversationIds: readonly string[]): Promise<void> {
  for (const gone of await takeAnswered(write.db, write.orgId, conversationIds))
    await emitScheduled(write, gone, 'answered')
}

export const createAnsweredListener = (): TransactionListener<'message.received'> => ({
  name: 'scheduled messages that an answer makes needless',
  on: ['message.received'],
  async handle(write, events) {
    const said = events.filter(({ data }) => !data.past && !data.group)
    await cancelAnswered(write, [...new Set(said.map(({ data }) => data.conversationId))])
  },
})

const managers: readonly OrgRole[] = ['owner', 'admin']
const noticeOf: Partial<Record<What, string>> = {
  held: 'scheduledHeld',
  orphaned: 'scheduledOrphaned',
  answered: 'scheduledAnswered',
}

/** Notifies the author that it was not sent, or admins if the author is gone. Keys get no notifications. */
export const createScheduledNotices = ({
  notify,
  notifyRoles,
}: Pick<Notify, 'notify' | 'notifyRoles'>): TransactionListener<'message.scheduled'> => ({
  name: 'notices of scheduled messages',
  on: ['message.scheduled'],
  after: ['scheduled messages that an answer makes needless'],
  async handle(write, events) {
    for (const event of events) {
      const { number, address = number, name, author, what } = event.data
      const key = noticeOf[what]
      if (!key) continue
      const words: Words = { key, params: { name: shortName(name) } }
      // Not combined with the conversation's unread messages, where it would be overlooked.
      const notice = { words, redirect: `/${address}` }
      if (what === 'orphaned') await notifyRoles(write, managers, notice, { after: event })
      else if (author.kind === 'person') await notify(write, { ...notice, userIds: [author.id] }, { after: event })
    }
  },
})

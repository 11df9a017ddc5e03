import { Type } from 'typebox'
import { sees } from '#server/identity/visibility/scope.ts'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { customerWindowMs, windowNoticeMs } from '#shared/kernel/limits.ts'
import { findRows, type ListRow } from '../conversations/list-row-store.ts'
import { nameOf, placeOf } from '../present.ts'
import { shortName } from './call-people.ts'
import { listRepliers } from './members-store.ts'

interface ClosingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
}

/** They spoke last, or wait for a person whatever left by itself since; and nobody put the chat away. */
const isUnanswered = (row: ListRow): boolean =>
  (row.last_message_direction === 'in' || row.control === 'needsHuman') && row.archived === 0 && row.blocked_at === null

/**
 * By conversation the last of these events, where the first of its words may be among them: as a row is after all that
 * came in one commit, as many are unread, and one more where it was only marked so. With more unread the job waits already.
 */
const firstWords = (events: readonly EventOf<'message.received'>[]): EventOf<'message.received'>[] => {
  const heard = new Map<string, { event: EventOf<'message.received'>; count: number }>()
  for (const event of events) {
    const { past, group, conversationId } = event.data
    if (!past && !group) heard.set(conversationId, { event, count: (heard.get(conversationId)?.count ?? 0) + 1 })
  }
  return [...heard.values()].flatMap(({ event, count }) => (event.data.conversation.unread <= count + 1 ? [event] : []))
}

/**
 * An hour before WhatsApp lets nobody write freely any more, tells of customers who have no answer: one job for each
 * chat in which something is unread, which waits for as long as its window moves on.
 */
export function createWindowClosing({ databases, clock, jobs, writes }: ClosingParts) {
  const look = async (orgId: string, conversationId: string): Promise<Outcome | undefined> => {
    const [row] = await findRows.byId(databases.read, [conversationId], { orgId })
    const closesAt = row?.window_closes_at
    if (!row || !closesAt) return undefined
    const leftMs = Date.parse(closesAt) - clock.now().getTime()
    if (leftMs <= 0) return undefined
    if (leftMs > windowNoticeMs) return { kind: 'again', afterMs: leftMs - windowNoticeMs }
    if (isUnanswered(row))
      await writes.run(orgId, systemActor('windows'), async ({ emit }) => {
        const data = { ...placeOf(row), name: shortName(nameOf(row)), assigneeId: row.assignee_id, closesAt }
        emit({ type: 'conversation.windowClosing', data })
      })
    // It may be opened anew meanwhile.
    return { kind: 'again', afterMs: leftMs }
  }

  const queue = jobs.register({
    name: 'inbox.windowClosing',
    // As long as a window may be that an advertisement opened.
    looksWithinMs: 3 * customerWindowMs,
    payload: Type.Object({ conversationId: Type.String() }),
    atOnce: 2,
    perOrg: 1,
    isKept: false,
    run: ({ orgId, payload }) => look(orgId, payload.conversationId),
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  const listener: TransactionListener<'message.received'> = {
    name: 'windows that will close',
    on: ['message.received'],
    async handle({ db, orgId, afterCommit }, events) {
      const first = firstWords(events)
      if (!first.length) return
      const due = (event: EventOf<'message.received'>) => {
        const { windowClosesAt } = event.data.conversation
        return windowClosesAt && { conversationId: event.data.conversationId, at: Date.parse(windowClosesAt) }
      }
      const rows = first.flatMap(event => {
        const one = due(event)
        if (!one) return []
        const { conversationId, at } = one
        const dueAt = new Date(at - windowNoticeMs).toISOString()
        return [{ payload: { conversationId }, uniqueKey: conversationId, dueAt }]
      })
      if (!rows.length) return
      await queue.add(db, orgId, rows)
      afterCommit(queue.wake)
    },
  }
  return { listener, look }
}

interface NoticeParts extends Pick<Notify, 'notify'> {
  readonly scopes: Pick<Scopes, 'scopesOf' | 'factsOf'>
}

/** Notifies whoever has the chat, else everybody who may answer it, that its window is about to close. */
export const createClosingNotices = ({
  notify,
  scopes,
}: NoticeParts): TransactionListener<'conversation.windowClosing'> => ({
  name: 'closing notices',
  on: ['conversation.windowClosing'],
  async handle(write, events) {
    const { db, orgId } = write
    const repliers = await listRepliers(db, orgId)
    for (const event of events) {
      const { conversationId, number, address = number, name, assigneeId } = event.data
      const asked = assigneeId !== null && repliers.includes(assigneeId) ? [assigneeId] : repliers
      const theirs = await scopes.scopesOf(db, orgId, asked)
      const facts = (theirs && (await scopes.factsOf(orgId, [conversationId], db)).get(conversationId)) ?? undefined
      const userIds = asked.filter(userId => {
        const scope = theirs?.get(userId)
        return !theirs || (scope !== undefined && sees(scope, facts))
      })
      if (!userIds.length) continue
      const words = { key: 'windowClosing', params: { name } }
      await notify(write, { userIds, words, redirect: `/${address}` }, { after: event })
    }
  },
})

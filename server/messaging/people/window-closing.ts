import { Type } from 'typebox'
import { sees } from '#server/identity/visibility/scope.ts'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, nameOf, shortName } from '#server/messaging/conversations/shown/present.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { customerWindowMs, windowClosingMs } from '#shared/kernel/limits.ts'
import { listAvailable, listTeamsOf } from './members-store.ts'

interface ClosingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
}

/** Members notified of one window at most. */
const maxAsked = 200

/** The customer wrote last or waits for a person, and nobody archived the chat. */
const isUnanswered = (row: ListRow): boolean =>
  (row.last_message_direction === 'in' || row.control === 'needsHuman') && row.archived === 0 && row.blocked_at === null

/**
 * Returns the last event of each conversation whose first unread message may be among these events: its row has as many
 * unread messages as there are events, or one more if it was marked unread. With more unread messages the job exists
 * already.
 */
const firstUnread = (events: readonly EventOf<'message.received'>[]): EventOf<'message.received'>[] => {
  const heard = new Map<string, { event: EventOf<'message.received'>; count: number }>()
  for (const event of events) {
    const { past, group, conversationId } = event.data
    if (!past && !group) heard.set(conversationId, { event, count: (heard.get(conversationId)?.count ?? 0) + 1 })
  }
  return [...heard.values()].flatMap(({ event, count }) => (event.data.conversation.unread <= count + 1 ? [event] : []))
}

/**
 * Two hours before a window closes, emits an event for a customer without an answer. One job per chat with unread
 * messages; it waits while its window moves.
 */
export function createWindowClosing({ databases, clock, jobs, writes }: ClosingParts) {
  const look = async (orgId: string, conversationId: string): Promise<Outcome | undefined> => {
    const [row] = await findRows.byId(databases.read, [conversationId], { orgId })
    const closesAt = row?.window_closes_at
    if (!row || !closesAt) return undefined
    const leftMs = Date.parse(closesAt) - clock.now().getTime()
    if (leftMs <= 0) return undefined
    if (leftMs > windowClosingMs) return { kind: 'again', afterMs: leftMs - windowClosingMs }
    if (isUnanswered(row))
      await writes.run(orgId, systemActor('windows'), async ({ emit }) => {
        const { assignee_id: assigneeId, team_id: teamId } = row
        const data = { ...conversationRef(row), name: shortName(nameOf(row)), assigneeId, teamId, closesAt }
        emit({ type: 'conversation.windowClosing', data })
      })
    // The window may be opened again meanwhile.
    return { kind: 'again', afterMs: leftMs }
  }

  const queue = jobs.register({
    name: 'inbox.windowClosing',
    // The longest window that an advertisement opens.
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
      const first = firstUnread(events)
      if (!first.length) return
      const due = (event: EventOf<'message.received'>) => {
        const { windowClosesAt } = event.data.conversation
        return windowClosesAt && { conversationId: event.data.conversationId, at: Date.parse(windowClosesAt) }
      }
      const rows = first.flatMap(event => {
        const one = due(event)
        if (!one) return []
        const { conversationId, at } = one
        const dueAt = new Date(at - windowClosingMs).toISOString()
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
  readonly scopes: Pick<Scopes, 'readScopes' | 'readFacts'>
}

/**
 * Lists the members to notify: the assignee. If there is none, or the assignee is away: the members of the
 * conversation's team who may answer, or without a team everybody who may.
 */
async function listAsked(
  { db, orgId }: Pick<OrgWrite, 'db' | 'orgId'>,
  { assigneeId, teamId }: { assigneeId: string | null; teamId: string | null },
): Promise<string[]> {
  const repliers = await listAvailable(db, orgId)
  const assignee = repliers.find(({ userId }) => userId === assigneeId)
  if (assignee && assignee.state !== 'away') return [assignee.userId]
  const all = repliers.slice(0, maxAsked).map(({ userId }) => userId)
  if (teamId === null) return all
  const teams = await listTeamsOf(db, orgId)
  const team = repliers.map(({ userId }) => userId).filter(id => teams.get(id)?.has(teamId))
  return team.length ? team.slice(0, maxAsked) : all
}

/** Notifies those who are asked to act that a window is about to close. */
export const createClosingNotices = ({
  notify,
  scopes,
}: NoticeParts): TransactionListener<'conversation.windowClosing'> => ({
  name: 'closing notices',
  on: ['conversation.windowClosing'],
  async handle(write, events) {
    const { db, orgId } = write
    for (const event of events) {
      const { conversationId, number, address = number, name } = event.data
      const asked = await listAsked(write, event.data)
      const theirs = await scopes.readScopes(db, orgId, asked)
      const facts = (theirs && (await scopes.readFacts(orgId, [conversationId], db)).get(conversationId)) ?? undefined
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

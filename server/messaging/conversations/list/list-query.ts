import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type ConversationQuery, type ListPartCount, maxOfListPart, nobody } from '#shared/inbox/conversations.ts'
import { windowClosingMs } from '#shared/kernel/limits.ts'
import { startOfMinute } from '#shared/kernel/time.ts'
import { findOwnNumberId } from '../shown/named.ts'
import type { ListFilter } from './list-filter-store.ts'
import { countLists } from './list-part-store.ts'

/** Windows that close within the next hours. */
export const closingFrom = (now: Date) => ({
  after: now.toISOString(),
  until: new Date(now.getTime() + windowClosingMs).toISOString(),
})

/** Lists show whole minutes, so a response is overdue after the minute in which it was due. */
export const overdueAt = (now: Date): string => new Date(startOfMinute(now.getTime())).toISOString()

/** The conditions of a query without words. `connectionId`: of the number that it names. Tags without an id are ignored. */
export const listFilterOf = (
  query: Omit<ConversationQuery, 'page' | 'pageSize' | 'search' | 'number'>,
  { connectionId, now }: { readonly connectionId: string | undefined; readonly now: Date },
): ListFilter => ({
  archived: query.archived ?? false,
  connectionId,
  isSnoozed: query.snoozed,
  isWaiting: query.waiting,
  overdueAt: query.overdue ? overdueAt(now) : undefined,
  isUnread: query.unread,
  needsHuman: query.needsHuman,
  isMetaAgents: query.metaAgent,
  isFailed: query.failed,
  assigneeId: query.assignee === nobody ? null : query.assignee,
  closing: query.closing ? closingFrom(now) : undefined,
  ...(query.tag ? { tags: query.tag.filter(id => id !== '') } : {}),
})

type Countable = Omit<ConversationQuery, 'page' | 'pageSize' | 'search'> & { readonly id: string }

/**
 * Counts the conversations that the viewer's list has with each of these queries, by its id. One whose number is none
 * of the organization's is absent.
 */
export async function countQueries(
  db: Db,
  viewer: Viewer,
  queries: readonly Countable[],
  now: Date,
): Promise<(ListPartCount & { id: string })[]> {
  const counted: { id: string; filter: ListFilter }[] = []
  for (const { id, number, ...query } of queries) {
    const connectionId = number === undefined ? undefined : await findOwnNumberId(db, viewer.orgId, number)
    if (number === undefined || connectionId !== undefined)
      counted.push({ id, filter: listFilterOf(query, { connectionId, now }) })
  }
  const filters = counted.map(({ filter }) => filter)
  const counts = await countLists(db, viewer, filters, maxOfListPart)
  return counts.map((count, i) => ({ ...count, id: counted[i]?.id ?? '' }))
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { scopedQuery, seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { archiveStates } from '#server/messaging/archive-states.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type ShownRow, selectShown } from '../rows/list-row-store.ts'
import { findConversationIds } from '../search/search.ts'
import { activeAfter, conditionsOf, isNarrowed, type ListFilter } from './list-filter-store.ts'
import { listNarrowed } from './list-walk-store.ts'
import { listOverdue } from './overdue-list-store.ts'
import { cut, type Page } from './page.ts'
import { listSnoozed } from './snoozed-list-store.ts'

interface ListQuery extends ListFilter {
  readonly page: number
  readonly pageSize: number
  readonly search?: string | undefined
  /** The country code that people omit when they type a number; default: Argentina's. */
  readonly callingCode?: string | undefined
  /** The time zone in which days of a search begin. */
  readonly timeZone?: string | undefined
}

const listPage = scopedQuery<
  { orgId: string; archived: number; activeAfter: string; limit: number; offset: number },
  ShownRow
>((db, p, scope) =>
  selectShown(db)
    .where('conversation.org_id', '=', p.orgId)
    .where('conversation.kind', '=', listedKind(p.orgId))
    .where('conversation.archived', '=', p.archived)
    .where('conversation.last_activity_at', '>', p.activeAfter)
    .where(seen(scope))
    .orderBy('conversation.last_activity_at', 'desc')
    .orderBy('conversation.id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)

/** A later page: skips rows in the index, without joining contacts and members. */
const laterPage = scopedQuery<
  { orgId: string; archived: number; activeAfter: string; limit: number; offset: number },
  ShownRow
>((db, p, scope) =>
  selectShown(db)
    .where(belongsTo('conversation.org_id', p.orgId))
    .where('conversation.id', 'in', eb =>
      eb
        .selectFrom('conversation')
        .select('conversation.id')
        .where('conversation.org_id', '=', p.orgId)
        .where('conversation.kind', '=', listedKind(p.orgId))
        .where('conversation.archived', '=', p.archived)
        .where('conversation.last_activity_at', '>', p.activeAfter)
        .where(seen(scope))
        .orderBy('conversation.last_activity_at', 'desc')
        .orderBy('conversation.id', 'desc')
        .limit(p.limit)
        .offset(p.offset),
    )
    .orderBy('conversation.last_activity_at', 'desc')
    .orderBy('conversation.id', 'desc'),
)

const numberPage = scopedQuery<
  { orgId: string; connectionId: string; archived: number; activeAfter: string; limit: number; offset: number },
  ShownRow
>((db, p, scope) =>
  selectShown(db)
    .where(belongsTo('conversation.org_id', p.orgId))
    .where('conversation.connection_id', '=', p.connectionId)
    .where('conversation.archived', '=', p.archived)
    .where('conversation.last_activity_at', '>', p.activeAfter)
    .where(seen(scope))
    .orderBy('conversation.last_activity_at', 'desc')
    .orderBy('conversation.id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)

/** A page of search results that also match the filter. */
async function listFound(
  db: Db,
  viewer: Viewer,
  query: ListQuery,
  search: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ShownRow[]> {
  const { way, rest } = conditionsOf(query)
  const conditions = way ? [way, ...rest] : rest
  const ids = await findConversationIds(db, viewer, {
    search,
    archived: query.archived,
    callingCode: query.callingCode,
    timeZone: query.timeZone,
    first: conditions.length ? undefined : offset + limit,
  })
  if (!ids.length) return []
  let select = selectShown(db)
    .where('conversation.id', 'in', ids)
    .where(belongsTo('conversation.org_id', viewer.orgId))
    .where('conversation.kind', '=', listedKind(viewer.orgId))
    .where(
      'conversation.archived',
      'in',
      query.archived ? [archiveStates.archived] : [archiveStates.open, archiveStates.snoozed],
    )
    .where(seen(viewer.scope))
  for (const condition of conditions) select = select.where(condition)
  return select
    .orderBy('conversation.last_activity_at', 'desc')
    .orderBy('conversation.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/**
 * Conversations, latest activity first, or by closing time of their windows, the end of their snoozes, or when the
 * promised first response was due. One more row is read to know whether there is a next page.
 */
export async function listConversations(db: Db, viewer: Viewer, query: ListQuery): Promise<Page<ShownRow>> {
  const { page, pageSize, connectionId } = query
  const range = { limit: pageSize + 1, offset: (page - 1) * pageSize }
  const search = query.search?.trim()
  if (search) return cut(await listFound(db, viewer, query, search, range), pageSize)
  if (query.isSnoozed) return cut(await listSnoozed(db, viewer, query, range), pageSize)
  const { overdueAt } = query
  if (overdueAt !== undefined) return cut(await listOverdue(db, viewer, { ...query, overdueAt }, range), pageSize)
  if (viewer.scope.kind !== 'all' || isNarrowed(query))
    return cut(await listNarrowed(db, viewer, query, range), pageSize)
  const common = { archived: query.archived ? 1 : 0, activeAfter: activeAfter(query), ...range }
  const wholePage = range.offset > range.limit ? laterPage : listPage
  const rows = await (connectionId
    ? numberPage(db, viewer, { ...common, connectionId })
    : wholePage(db, viewer, common))
  return cut(rows, pageSize)
}

/**
 * The first rows of a long list, read in two halves with a pause for other work. A conversation that moves meanwhile
 * appears once.
 */
export async function listMany(
  db: Db,
  viewer: Viewer,
  most: number,
  filter: Omit<ListQuery, 'page' | 'pageSize'>,
): Promise<Page<ShownRow>> {
  const pageSize = Math.ceil(most / 2)
  const first = await listConversations(db, viewer, { ...filter, page: 1, pageSize })
  if (!first.hasMore) return first
  await nextTurn()
  const second = await listConversations(db, viewer, { ...filter, page: 2, pageSize })
  const known = new Set(first.rows.map(({ id }) => id))
  return { rows: [...first.rows, ...second.rows.filter(({ id }) => !known.has(id))], hasMore: second.hasMore }
}

const unreadRows = scopedQuery<{ orgId: string; limit: number }, { count: number }>((db, p, scope) =>
  db
    .selectFrom(eb =>
      eb
        .selectFrom('conversation')
        .select('conversation.id')
        .where('conversation.org_id', '=', p.orgId)
        .where('conversation.kind', '=', listedKind(p.orgId))
        .where('conversation.archived', '=', sql.lit(0))
        // A literal, so that the partial index of unread ones is used.
        .where('conversation.unread', '>', sql.lit(0))
        .where(seen(scope))
        .limit(p.limit)
        .as('unread_one'),
    )
    .select(eb => eb.fn.countAll<number>().as('count')),
)

/** Counts unread open conversations that the viewer sees, up to `limit`. */
export async function countUnread(db: Db, viewer: Viewer, limit: number): Promise<number> {
  return Number((await unreadRows(db, viewer, { limit }))[0]?.count ?? 0)
}

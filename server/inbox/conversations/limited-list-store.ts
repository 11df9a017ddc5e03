import { setImmediate as nextTurn } from 'node:timers/promises'
import { isOf } from '../../bulk.ts'
import type { Db } from '../../db.ts'
import { listedKind } from '../../numbers/listed-kind.ts'
import { seen } from '../../visibility/condition.ts'
import type { Viewer } from '../../visibility/scope.ts'
import { type ShownRow, selectShown } from './list-row.ts'

/** Looked at in one turn of the event loop: some ten milliseconds at most, however few of them are seen. */
const mostPerTurn = 2_000
/** Enough for a page of whoever sees many. */
const firstLook = 200

interface LimitedPage {
  readonly connectionId: string | undefined
  readonly archived: number
  readonly limit: number
  readonly offset: number
}

/** The next conversations of the list with whether they are seen, from behind one of them. */
const slice = (
  db: Db,
  { orgId, scope }: Viewer,
  { archived, connectionId }: LimitedPage,
  count: number,
  after?: { id: string; at: string },
) => {
  let inner = db
    .selectFrom('conversation')
    .select(['id', 'contact_id', 'assignee_id', 'team_id', 'last_activity_at'])
    .where('org_id', '=', orgId)
    .where('kind', '=', listedKind(orgId))
    .where('archived', '=', archived)
  if (connectionId !== undefined) inner = inner.where('connection_id', '=', connectionId)
  if (after) inner = inner.where(eb => eb(eb.refTuple('last_activity_at', 'id'), '<', eb.tuple(after.at, after.id)))
  return db
    .selectFrom(inner.orderBy('last_activity_at', 'desc').orderBy('id', 'desc').limit(count).as('conversation'))
    .select(['conversation.id', 'conversation.last_activity_at as at', seen(scope).as('isSeen')])
    .execute()
}

/**
 * A page of the list for somebody who sees some of it: whoever sees few of many is looked up in slices, so that others
 * get their turn.
 */
export async function listLimited(db: Db, viewer: Viewer, page: LimitedPage): Promise<ShownRow[]> {
  const ids: string[] = []
  let after: { id: string; at: string } | undefined
  let count = firstLook
  while (ids.length < page.offset + page.limit) {
    const rows = await slice(db, viewer, page, count, after)
    for (const row of rows) if (row.isSeen) ids.push(row.id)
    after = rows.at(-1)
    if (rows.length < count) break
    count = mostPerTurn
    await nextTurn()
  }
  const wanted = ids.slice(page.offset, page.offset + page.limit)
  if (!wanted.length) return []
  const rows = await selectShown(db)
    .where(isOf('conversation.org_id', viewer.orgId))
    .where('conversation.id', 'in', wanted)
    .where(seen(viewer.scope))
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return wanted.flatMap(id => byId.get(id) ?? [])
}

import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ShownRow } from '../rows/list-row-store.ts'
import { allConditions, archiveStateOfList, conditionsOf, type ListFilter } from './list-filter-store.ts'
import { listRowsOf } from './list-walk-store.ts'

/** A page of conversations whose promised first response is overdue, the longest overdue first. */
export async function listOverdue(
  db: Db,
  viewer: Viewer,
  { overdueAt, ...filter }: ListFilter & { readonly overdueAt: string },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ShownRow[]> {
  const { way, rest } = conditionsOf(filter)
  const found = await db
    .selectFrom('answer_due')
    .innerJoin('conversation', 'conversation.id', 'answer_due.conversation_id')
    .select('conversation.id')
    .where('answer_due.org_id', '=', viewer.orgId)
    .where('answer_due.due_at', '<=', overdueAt)
    .where('conversation.archived', '=', archiveStateOfList(filter))
    .where('conversation.kind', '=', listedKind(viewer.orgId))
    .where(allConditions(way ? [way, ...rest] : rest))
    .where(seen(viewer.scope))
    .orderBy('answer_due.due_at')
    .orderBy('answer_due.conversation_id')
    .limit(limit)
    .offset(offset)
    .execute()
  return listRowsOf(
    db,
    viewer,
    found.map(row => row.id),
  )
}

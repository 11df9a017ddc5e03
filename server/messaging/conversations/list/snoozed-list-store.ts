import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { archiveStates } from '#server/messaging/archive-states.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ShownRow } from '../rows/list-row-store.ts'
import { allConditions, conditionsOf, type ListFilter } from './list-filter-store.ts'
import { listRowsOf } from './list-walk-store.ts'

/** A page of snoozed conversations, the next to come back first. */
export async function listSnoozed(
  db: Db,
  viewer: Viewer,
  filter: ListFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ShownRow[]> {
  const { way, rest } = conditionsOf(filter)
  const found = await db
    .selectFrom('snooze')
    .innerJoin('conversation', 'conversation.id', 'snooze.conversation_id')
    .select('conversation.id')
    .where('snooze.org_id', '=', viewer.orgId)
    .where('snooze.ended_at', 'is', null)
    .where('conversation.archived', '=', archiveStates.snoozed)
    .where('conversation.kind', '=', listedKind(viewer.orgId))
    .where(allConditions(way ? [way, ...rest] : rest))
    .where(seen(viewer.scope))
    .orderBy('snooze.until')
    .orderBy('snooze.conversation_id')
    .limit(limit)
    .offset(offset)
    .execute()
  return listRowsOf(
    db,
    viewer,
    found.map(row => row.id),
  )
}

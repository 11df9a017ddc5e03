import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Control } from '#server/messaging/events.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { type ListRow, selectRows } from '../rows/list-row-store.ts'

/** The fields of a conversation that can be changed on their own. */
export interface Flags {
  readonly archived?: number
  readonly unread?: number
  readonly control?: Control
  readonly control_before_archive?: Control | null
}

export async function setFlags(db: OrgDb, orgId: string, ids: readonly string[], flags: Flags): Promise<void> {
  await db
    .updateTable('conversation')
    .set(flags)
    .where(belongsTo('conversation.org_id', orgId))
    .where('conversation.id', 'in', ids)
    .execute()
}

/** Returns the conversations that the viewer sees, in the order of `ids`. */
export async function listSeenRows(db: Db, viewer: Viewer, ids: readonly string[]): Promise<ListRow[]> {
  const rows = await selectRows(db)
    .where('conversation.id', 'in', ids)
    .where(belongsTo('conversation.org_id', viewer.orgId))
    .where(seen(viewer.scope))
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

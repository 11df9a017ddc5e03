import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** Records that people were notified of a step of a month; false: they were before. */
export async function markNotified(
  db: OrgDb,
  orgId: string,
  { connectionId, month, percent }: { connectionId: string; month: string; percent: number },
): Promise<boolean> {
  const changed = await db
    .updateTable('reply_month')
    .set({ notified: percent })
    .where('connection_id', '=', connectionId)
    .where('month', '=', month)
    .where('org_id', '=', orgId)
    .where('notified', '<', percent)
    .returning('month')
    .execute()
  return changed.length > 0
}

interface RepliesOfMonth {
  readonly connectionId: string
  readonly count: number
}

/** Billed replies of a month by number. */
export const listReplies = (db: Db, orgId: string, month: string): Promise<RepliesOfMonth[]> =>
  db
    .selectFrom('reply_month')
    .select(['connection_id as connectionId', 'count'])
    .where('org_id', '=', orgId)
    .where('month', '=', month)
    .execute()

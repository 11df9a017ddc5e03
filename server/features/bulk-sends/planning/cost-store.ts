import type { Db } from '#server/platform/db/database.ts'
import { recipientStates } from '#shared/bulk-sends/states.ts'
import type { SendCost } from '#shared/stats/api.ts'

interface Page {
  readonly before?: string | undefined
  readonly limit: number
}

/** Newest first, without tests. Exported for tests of the statement. */
export const selectSendCosts = (db: Db, orgId: string, { before, limit }: Page) => {
  let query = db.selectFrom('bulk_send').where('org_id', '=', orgId).where('is_test', '=', 0)
  if (before !== undefined) query = query.where('id', '<', before)
  return query
    .select(['id', 'template', 'created_at', 'started_at', 'cost', ...recipientStates])
    .orderBy('id', 'desc')
    .limit(limit)
}

/** Estimated costs of bulk sends. */
export async function listSendCosts(db: Db, orgId: string, page: Page): Promise<SendCost[]> {
  const rows = await selectSendCosts(db, orgId, page).execute()
  return rows.map(row => ({
    id: row.id,
    template: (JSON.parse(row.template) as { name: string }).name,
    at: row.started_at ?? row.created_at,
    people: recipientStates.reduce((sum, state) => sum + (state === 'omitted' ? 0 : row[state]), 0),
    delivered: row.delivered + row.read + row.replied,
    cost: row.cost === null ? null : JSON.parse(row.cost),
  }))
}

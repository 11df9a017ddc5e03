import { type BulkCost, recipientStates } from '#shared/bulk-sends.ts'
import type { Db } from '../db.ts'

/** What a send to many was going to cost. */
export interface SendCost {
  readonly id: string
  readonly template: string
  readonly at: string
  /** Those who got it, or shall. */
  readonly people: number
  readonly delivered: number
  /** Null: nobody had said what messages cost. */
  readonly cost: BulkCost | null
}

/** Newest first, without those that were only tried. */
export async function listSendCosts(
  db: Db,
  orgId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<SendCost[]> {
  let query = db.selectFrom('bulk_send').where('org_id', '=', orgId).where('is_test', '=', 0)
  if (before !== undefined) query = query.where('id', '<', before)
  const rows = await query
    .select(['id', 'template', 'created_at', 'started_at', 'cost', ...recipientStates])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    id: row.id,
    template: (JSON.parse(row.template) as { name: string }).name,
    at: row.started_at ?? row.created_at,
    people: recipientStates.reduce((sum, state) => sum + (state === 'omitted' ? 0 : row[state]), 0),
    delivered: row.delivered + row.read + row.replied,
    cost: row.cost === null ? null : JSON.parse(row.cost),
  }))
}

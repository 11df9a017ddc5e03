import type { Db } from './db.ts'
import { appErrors } from './errors.ts'

/**
 * How many rows an organization keeps of what grows by use and is not deleted by age. What people list and tidy up
 * themselves (tags, flows, keys, views, ready answers and the like) has its limit in `shared/`, beside its texts.
 */
export const rowLimits = {
  /** Of one flow. */
  flow_version: 2_000,
  /** Meta allows 6,000 in an account; the rest are drafts. */
  template: 10_000,
  bulk_send: 50_000,
} as const

export type LimitedTable = keyof typeof rowLimits

/**
 * Asks before a row is added, in the same transaction.
 * @param within the flow, for versions
 * @throws APP_TOO_MANY_KEPT
 */
export async function requireRowsLeft(db: Db, orgId: string, table: LimitedTable, within?: string): Promise<void> {
  const limit = rowLimits[table]
  let rows = db.selectFrom(table).select('org_id').where('org_id', '=', orgId)
  if (within !== undefined) rows = rows.where('flow_id' as never, '=', within as never)
  const { count } = await db
    .selectFrom(rows.limit(limit).as('kept'))
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= limit) throw appErrors.TOO_MANY_KEPT({ params: { limit } })
}

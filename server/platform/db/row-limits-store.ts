import { type AppError, appErrors } from '#server/platform/http/errors.ts'
import type { Db } from './database.ts'

/**
 * Limits for rows that grow by use and are not deleted by age. What people list and delete themselves (tags, flows,
 * keys, views, ready answers and so on) has its limit in `shared/`.
 */
export const rowLimits = {
  /** Per flow. */
  flow_version: 2_000,
  /** Meta allows 6,000 per account; the rest are drafts. */
  template: 10_000,
  bulk_send: 50_000,
  /**
   * Customers who write become contacts beyond it; only additions by members, programs, imports and bulk sends are
   * refused.
   */
  contacts: 1_000_000,
  notes: 1_000_000,
} as const

type Limited = keyof typeof rowLimits
/** Counted by triggers, because there are too many to count each time. */
type CountedRows = 'contacts' | 'notes'
type LimitedTable = Exclude<Limited, CountedRows>

/** Texts that name what there is too much of, and what to do. */
const sentences: Readonly<Record<Limited, string>> = {
  flow_version: 'APP_TOO_MANY_KEPT_FLOW_VERSION',
  template: 'APP_TOO_MANY_KEPT_TEMPLATE',
  bulk_send: 'APP_TOO_MANY_KEPT_BULK_SEND',
  contacts: 'APP_TOO_MANY_KEPT_CONTACTS',
  notes: 'APP_TOO_MANY_KEPT_NOTES',
}

const tooMany = (what: Limited): AppError =>
  appErrors.TOO_MANY_KEPT({ params: { limit: rowLimits[what] }, textCode: sentences[what] })

/** Rows that the organization may still add. At most `limit` rows are counted, so the result is never below 0. */
export async function countRowsLeft(db: Db, orgId: string, table: LimitedTable, within?: string): Promise<number> {
  const limit = rowLimits[table]
  let rows = db.selectFrom(table).select('org_id').where('org_id', '=', orgId)
  if (within !== undefined) rows = rows.where('flow_id' as never, '=', within as never)
  const { count } = await db
    .selectFrom(rows.limit(limit).as('kept'))
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return limit - Number(count)
}

/**
 * Call it before inserting, in the same transaction.
 * @param within the flow, for versions
 * @throws APP_TOO_MANY_KEPT
 */
export async function requireRowsLeft(db: Db, orgId: string, table: LimitedTable, within?: string): Promise<void> {
  if ((await countRowsLeft(db, orgId, table, within)) <= 0) throw tooMany(table)
}

/** The result is below 0 if customers who wrote exceeded the limit. */
export async function countRoomFor(db: Db, orgId: string, what: CountedRows): Promise<number> {
  const use = await db.selectFrom('row_use').select(what).where('org_id', '=', orgId).executeTakeFirst()
  return rowLimits[what] - (use?.[what] ?? 0)
}

/** @throws APP_TOO_MANY_KEPT if `count` more may not be added */
export async function requireRoomFor(db: Db, orgId: string, what: CountedRows, count: number): Promise<void> {
  if (count > 0 && (await countRoomFor(db, orgId, what)) < count) throw tooMany(what)
}

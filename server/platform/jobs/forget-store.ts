import { type SqlBool, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { lineColumns, unblockHeads } from './add-store.ts'
import { isUnfinished } from './conditions-store.ts'

/** Some jobs in the order of their numbers. */
export interface ForgetPage {
  /** The last number of the page before; 0: from the first. */
  readonly after: number
  readonly limit: number
  /** ISO time; what was added later is left alone. */
  readonly addedBy: string
  /** Texts of which one stands in those that are meant. */
  readonly traces: readonly string[]
}

const places = ['payload', 'order_key', 'unique_key', 'pace_key', 'reason'] as const

/**
 * Deletes those of an organization in which one of these texts stands, whatever their state, but not while they run.
 * Answers the last number it looked at, null at the end, and whether one of them runs.
 */
export async function forgetJobs(
  trx: Db,
  orgId: string,
  { after, limit, addedBy, traces }: ForgetPage,
): Promise<{ last: number | null; isRunning: boolean }> {
  const page = await trx.selectFrom('job').select('seq').where('seq', '>', after).orderBy('seq').limit(limit).execute()
  const last = page.at(-1)?.seq
  if (last === undefined) return { last: null, isRunning: false }
  const isMeant = sql<SqlBool>`org_id = ${orgId} and seq > ${after} and seq <= ${last} and added_at <= ${addedBy}
    and (${sql.join(
      places.flatMap(place => traces.map(trace => sql`${sql.ref(place)} like ${`%${trace}%`}`)),
      sql` or `,
    )})`
  const running = await trx
    .selectFrom('job')
    .select('seq')
    .where('state', '=', 'running')
    .where(isMeant)
    .limit(1)
    .execute()
  const gone = await trx
    .deleteFrom('job')
    .where('state', '<>', 'running')
    .where(isMeant)
    .returning(lineColumns)
    .execute()
  await unblockHeads(trx, gone)
  return { last, isRunning: running.length > 0 }
}

/** Whether something of these order keys is under way. */
export async function isUnderWay(db: Db, orgId: string, orderKeys: readonly string[]): Promise<boolean> {
  const rows = await db
    .selectFrom('job')
    .select('seq')
    .where('org_id', '=', orgId)
    .where('state', '=', 'running')
    .where(sql<SqlBool>`${sql.raw(isUnfinished('job'))}`)
    // Those that began together have their order keys in the row they share.
    .where(eb =>
      eb.or([
        eb('order_key', 'in', orderKeys),
        ...orderKeys.map(key => eb.and([eb('order_key', 'is', null), sql<SqlBool>`payload like ${`%"${key}"%`}`])),
      ]),
    )
    .limit(1)
    .execute()
  return rows.length > 0
}

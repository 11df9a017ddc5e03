import { type SqlBool, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { lineColumns, unblockHeads } from './add-store.ts'
import { isUnfinished } from './conditions-store.ts'

/** A page of jobs, by number. */
export interface ForgetPage {
  /** The last number of the page before; 0: the first page. */
  readonly after: number
  readonly limit: number
  /** ISO time; jobs added later are not affected. */
  readonly addedBy: string
  /** Jobs are affected if they contain one of these texts. */
  readonly traces: readonly string[]
}

const columns = ['payload', 'order_key', 'unique_key', 'pace_key', 'reason'] as const

/**
 * Deletes an organization's jobs that contain one of these texts, in every state but running. Returns the last examined
 * number (null at the end), and whether one of them is running.
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
      columns.flatMap(column => traces.map(trace => sql`${sql.ref(column)} like ${`%${trace}%`}`)),
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

export async function isUnderWay(db: Db, orgId: string, orderKeys: readonly string[]): Promise<boolean> {
  const rows = await db
    .selectFrom('job')
    .select('seq')
    .where('org_id', '=', orgId)
    .where('state', '=', 'running')
    .where(sql<SqlBool>`${sql.raw(isUnfinished('job'))}`)
    // Jobs that began together have their order keys in their shared row's payload.
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

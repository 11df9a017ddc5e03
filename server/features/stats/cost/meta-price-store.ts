import { sql } from 'kysely'
import { bulkWrite, wholeNumber } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** Meta's counts of an account on a day, with Meta's names. */
export interface MetaPriceRow {
  readonly day: string
  readonly country: string
  readonly category: string
  readonly type: string
  readonly volume: number
  /** The cost in millionths of the account's currency. */
  readonly cost: number
}

interface MetaReading {
  readonly wabaId: string
  /** The days that were read, both included; null: none yet. */
  readonly firstDay: string | null
  readonly lastDay: string | null
  readonly currency: string | null
  readonly readAt: string
  /** Code of the last failure; null: it succeeded. */
  readonly failure: string | null
}

declare module '#server/platform/db/database.ts' {
  interface Database {
    meta_price: MetaPriceRow & { org_id: string; waba_id: string }
    /** The last reading of an account's prices from Meta. */
    meta_price_reading: {
      org_id: string
      waba_id: string
      first_day: string | null
      last_day: string | null
      currency: string | null
      read_at: string
      failure: string | null
    }
  }
}

export async function listReadings(db: Db, orgId: string): Promise<MetaReading[]> {
  const rows = await db.selectFrom('meta_price_reading').selectAll().where('org_id', '=', orgId).execute()
  return rows.map(row => ({
    wabaId: row.waba_id,
    firstDay: row.first_day,
    lastDay: row.last_day,
    currency: row.currency,
    readAt: row.read_at,
    failure: row.failure,
  }))
}

export async function saveReading(db: OrgDb, orgId: string, reading: MetaReading): Promise<void> {
  const values = {
    first_day: reading.firstDay,
    last_day: reading.lastDay,
    currency: reading.currency,
    read_at: reading.readAt,
    failure: reading.failure,
  }
  await db
    .insertInto('meta_price_reading')
    .values({ org_id: orgId, waba_id: reading.wabaId, ...values })
    .onConflict(conflict => conflict.columns(['org_id', 'waba_id']).doUpdateSet(values))
    .execute()
}

const insertPrices = bulkWrite<MetaPriceRow, { orgId: string; wabaId: string }, never>(
  (_db, rows, { orgId, wabaId }) => {
    const values = sql.join(
      rows.map(
        row => sql`(${orgId}, ${wabaId}, ${row.day}, ${row.country}, ${row.category}, ${row.type},
          ${wholeNumber(row.volume)}, ${wholeNumber(row.cost)})`,
      ),
    )
    return sql<never>`insert into meta_price (org_id, waba_id, day, country, category, type, volume, cost) values ${values}`
  },
)

/** Replaces what was read of an account since a day, and forgets what is older than another. */
export async function replacePrices(
  db: OrgDb,
  orgId: string,
  wabaId: string,
  { from, forgetBefore, prices }: { from: string; forgetBefore: string; prices: readonly MetaPriceRow[] },
): Promise<void> {
  const own = db.deleteFrom('meta_price').where('org_id', '=', orgId).where('waba_id', '=', wabaId)
  await own.where('day', '>=', from).execute()
  await own.where('day', '<', forgetBefore).execute()
  await insertPrices(db, prices, { orgId, wabaId })
}

/** Forgets an account that was last read before a time, with its prices. False: there is none. */
export async function forgetUnreadAccount(trx: Db, before: string): Promise<boolean> {
  const account = await trx
    .selectFrom('meta_price_reading')
    .select(['org_id', 'waba_id'])
    .where('read_at', '<', before)
    .limit(1)
    .executeTakeFirst()
  if (!account) return false
  for (const table of ['meta_price', 'meta_price_reading'] as const)
    await trx.deleteFrom(table).where('org_id', '=', account.org_id).where('waba_id', '=', account.waba_id).execute()
  return true
}

/** Sums over all accounts, by category, country and type. */
export async function listMetaSums(
  db: Db,
  orgId: string,
  { from, to }: { from: string; to: string },
): Promise<Omit<MetaPriceRow, 'day'>[]> {
  const rows = await db
    .selectFrom('meta_price')
    .select(['country', 'category', 'type'])
    .select(({ fn }) => [fn.sum<number>('volume').as('volume'), fn.sum<number>('cost').as('cost')])
    .where('org_id', '=', orgId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['country', 'category', 'type'])
    .execute()
  return rows.map(row => ({ ...row, volume: Number(row.volume), cost: Number(row.cost) }))
}

/** Organizations with a connected number whose account was not read since a time. */
export async function listUnreadAccounts(db: Db, since: string, limit: number): Promise<{ orgId: string }[]> {
  return db
    .selectFrom('wa_connection')
    .leftJoin('meta_price_reading as reading', join =>
      join.onRef('reading.org_id', '=', 'wa_connection.org_id').onRef('reading.waba_id', '=', 'wa_connection.waba_id'),
    )
    .select('wa_connection.org_id as orgId')
    .distinct()
    .where('wa_connection.disconnected_at', 'is', null)
    .where(({ or, eb }) => or([eb('reading.read_at', 'is', null), eb('reading.read_at', '<', since)]))
    .limit(limit)
    .execute()
}

import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { RateCard } from '#shared/bulk-sends/rates.ts'

/** Undefined: no prices were entered. */
export async function findRateCard(db: Db, orgId: string): Promise<RateCard | undefined> {
  const row = await db
    .selectFrom('rate_card')
    .select(['currency', 'valid_from', 'rates', 'updated_at'])
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return (
    row && {
      currency: row.currency,
      validFrom: row.valid_from,
      rates: JSON.parse(row.rates),
      updatedAt: row.updated_at,
    }
  )
}

export async function saveRateCard(db: OrgDb, orgId: string, card: RateCard & { updatedAt: string }): Promise<void> {
  const values = {
    currency: card.currency,
    valid_from: card.validFrom,
    rates: JSON.stringify(card.rates),
    updated_at: card.updatedAt,
  }
  await db
    .insertInto('rate_card')
    .values({ org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(values))
    .execute()
}

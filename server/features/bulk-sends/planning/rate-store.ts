import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { maxPastCards, type PastCard, type RateCard } from '#shared/bulk-sends/rates.ts'

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

/** Earlier price lists, the newest first. */
export async function listPastCards(db: Db, orgId: string): Promise<PastCard[]> {
  const rows = await db
    .selectFrom('past_rate_card')
    .select(['valid_from', 'currency', 'rates'])
    .where('org_id', '=', orgId)
    .orderBy('valid_from', 'desc')
    .limit(maxPastCards)
    .execute()
  return rows.map(row => ({ validFrom: row.valid_from, currency: row.currency, rates: JSON.parse(row.rates) }))
}

/** Stores an earlier price list. Deletes the oldest ones above `maxPastCards`. */
export async function savePastCard(db: OrgDb, orgId: string, card: PastCard): Promise<void> {
  const values = { currency: card.currency, rates: JSON.stringify(card.rates) }
  await db
    .insertInto('past_rate_card')
    .values({ org_id: orgId, valid_from: card.validFrom, ...values })
    .onConflict(conflict => conflict.columns(['org_id', 'valid_from']).doUpdateSet(values))
    .execute()
  const kept = await listPastCards(db, orgId)
  const oldest = kept.at(-1)
  if (kept.length === maxPastCards && oldest)
    await db
      .deleteFrom('past_rate_card')
      .where('org_id', '=', orgId)
      .where('valid_from', '<', oldest.validFrom)
      .execute()
}

export async function deletePastCard(db: OrgDb, orgId: string, validFrom: string): Promise<void> {
  await db.deleteFrom('past_rate_card').where('org_id', '=', orgId).where('valid_from', '=', validFrom).execute()
}

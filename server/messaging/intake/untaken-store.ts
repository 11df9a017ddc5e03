import type { Db } from '#server/platform/db/database.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { nameOfItem } from './takers.ts'

/** An item that no taker gets, with its index in its webhook. */
export interface UntakenItem {
  readonly orgId: string
  /** The number of the journal's row. */
  readonly seq: number
  readonly place: number
  readonly item: WebhookItem
}

const rowsPerInsert = 100

/** Keeps items until a feature takes them. Items that are already kept stay unchanged. */
export async function keepUntaken(db: Db, items: readonly UntakenItem[], at: string): Promise<void> {
  for (let from = 0; from < items.length; from += rowsPerInsert)
    await db
      .insertInto('untaken_item')
      .values(
        items.slice(from, from + rowsPerInsert).map(({ orgId, seq, place, item }) => ({
          seq,
          place,
          org_id: orgId,
          name: nameOfItem(item),
          item: JSON.stringify(item),
          at,
        })),
      )
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

const countedTo = 10_000

/** Counts items that no feature takes, by name, over all organizations. At most `countedTo` are counted. */
export async function countUntaken(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom(db.selectFrom('untaken_item').select('name').limit(countedTo).as('some'))
    .select(eb => ['name', eb.fn.countAll<number>().as('count')])
    .groupBy('name')
    .orderBy('name')
    .execute()
  return new Map(rows.map(row => [row.name, Number(row.count)]))
}

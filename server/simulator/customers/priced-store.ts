import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** A delivered message of the business. */
export interface PricedMessage {
  readonly waId: string
  readonly atMs: number
  /** In lower case; `service`: no template. */
  readonly category: string
}

/** More than a simulated organization sends. */
const most = 20_000

/** Delivered messages of a range of time, the newest first. */
export async function listPriced(
  db: Db,
  orgId: string,
  { startMs, endMs }: { startMs: number; endMs: number },
): Promise<PricedMessage[]> {
  const rows = await db
    .selectFrom('sandbox_message')
    .select(['wa_id', 'at_ms'])
    .select(sql<string | null>`case when type = 'template' then body end`.as('body'))
    .where('org_id', '=', orgId)
    .where('direction', '=', 'out')
    .where('status', 'in', ['delivered', 'read', 'played'])
    .where('type', '<>', 'reaction')
    .where('at_ms', '>=', startMs)
    .where('at_ms', '<', endMs)
    .orderBy('at_ms', 'desc')
    .limit(most)
    .execute()
  const templates = await db
    .selectFrom('sandbox_template')
    .select(['name', 'category'])
    .where('org_id', '=', orgId)
    .limit(1_000)
    .execute()
  const categories = new Map(templates.map(({ name, category }) => [name, category.toLowerCase()]))
  return rows.map(({ wa_id: waId, at_ms: atMs, body }) => ({
    waId,
    atMs,
    category:
      body === null
        ? 'service'
        : (categories.get((JSON.parse(body) as { template?: { name?: string } }).template?.name ?? '') ?? 'utility'),
  }))
}

import { belongsTo } from '../bulk.ts'
import type { Db } from '../db.ts'

export interface SlowedPace {
  readonly perSecond: number
  readonly slowedAt: string
}

/** Undefined: WhatsApp has never held this number back. */
export async function findPace(db: Db, orgId: string, connectionId: string): Promise<SlowedPace | undefined> {
  const row = await db
    .selectFrom('bulk_pace')
    .select(['per_second', 'slowed_at'])
    .where('connection_id', '=', connectionId)
    .where(belongsTo('bulk_pace.org_id', orgId))
    .executeTakeFirst()
  return row && { perSecond: row.per_second, slowedAt: row.slowed_at }
}

/** From now on, in place of what was known before. */
export async function savePace(db: Db, orgId: string, connectionId: string, pace: SlowedPace): Promise<void> {
  const values = { per_second: pace.perSecond, slowed_at: pace.slowedAt }
  await db
    .insertInto('bulk_pace')
    .values({ connection_id: connectionId, org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('connection_id').doUpdateSet(values))
    .execute()
}

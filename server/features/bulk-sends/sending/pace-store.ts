import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

export interface SlowedPace {
  readonly perSecond: number
  readonly slowedAt: string
}

export interface NumberPace extends SlowedPace {
  /** Set by the organization. Null: the default. */
  readonly setPerSecond: number | null
}

/** The time of a slow-down that never happened. */
const never = '1970-01-01T00:00:00.000Z'

const selectPace = hotQuery<
  { orgId: string; connectionId: string },
  { per_second: number; slowed_at: string; set_per_second: number | null }
>((db, p) =>
  db
    .selectFrom('bulk_pace')
    .select(['per_second', 'slowed_at', 'set_per_second'])
    .where('connection_id', '=', p.connectionId)
    .where(belongsTo('bulk_pace.org_id', p.orgId)),
)

/** Undefined: no rate was set, and WhatsApp never limited this number. */
export async function findPace(db: Db, orgId: string, connectionId: string): Promise<NumberPace | undefined> {
  const [row] = await selectPace(db, { orgId, connectionId })
  return row && { perSecond: row.per_second, slowedAt: row.slowed_at, setPerSecond: row.set_per_second }
}

/** Replaces the recorded slow-down. */
export async function savePace(db: OrgDb, orgId: string, connectionId: string, pace: SlowedPace): Promise<void> {
  const values = { per_second: pace.perSecond, slowed_at: pace.slowedAt }
  await db
    .insertInto('bulk_pace')
    .values({ connection_id: connectionId, org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('connection_id').doUpdateSet(values))
    .execute()
}

/** Sets the rate of this number without slow-downs. */
export async function saveSetPace(db: OrgDb, orgId: string, connectionId: string, perSecond: number): Promise<void> {
  await db
    .insertInto('bulk_pace')
    .values({ connection_id: connectionId, org_id: orgId, per_second: 1, slowed_at: never, set_per_second: perSecond })
    .onConflict(conflict => conflict.column('connection_id').doUpdateSet({ set_per_second: perSecond }))
    .execute()
}

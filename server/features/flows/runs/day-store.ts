import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

export interface FlowCounts {
  readonly started: number
  readonly finished: number
  readonly handedOff: number
}

/** Counts by flow since a day. Each event counts on the day in the organization's time zone of that moment. */
export async function countSince(db: Db, orgId: string, since: string): Promise<ReadonlyMap<string, FlowCounts>> {
  const rows = await db
    .selectFrom('flow_day')
    .innerJoin('flow', 'flow.id', 'flow_day.flow_id')
    .select(['flow_day.flow_id', 'flow_day.started', 'flow_day.finished', 'flow_day.handed_off'])
    .where('flow.org_id', '=', orgId)
    .where('flow.deleted_at', 'is', null)
    .where('flow_day.day', '>=', since)
    .execute()
  const counts = new Map<string, FlowCounts>()
  for (const row of rows) {
    const { started, finished, handedOff } = counts.get(row.flow_id) ?? { started: 0, finished: 0, handedOff: 0 }
    counts.set(row.flow_id, {
      started: started + row.started,
      finished: finished + row.finished,
      handedOff: handedOff + row.handed_off,
    })
  }
  return counts
}

/** Counts of each flow in a range of days, both included, with its name. */
export async function countBetween(
  db: Db,
  orgId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<(FlowCounts & { readonly id: string; readonly name: string })[]> {
  const rows = await db
    .selectFrom('flow')
    .innerJoin('flow_day', 'flow_day.flow_id', 'flow.id')
    .select(['flow.id', 'flow.name'])
    .select(({ fn }) => [
      fn.sum<number>('flow_day.started').as('started'),
      fn.sum<number>('flow_day.finished').as('finished'),
      fn.sum<number>('flow_day.handed_off').as('handedOff'),
    ])
    .where('flow.org_id', '=', orgId)
    .where('flow.deleted_at', 'is', null)
    .where('flow_day.day', '>=', from)
    .where('flow_day.day', '<=', to)
    .groupBy(['flow.id', 'flow.name'])
    .execute()
  return rows
    .map(({ id, name, started, finished, handedOff }) => ({
      id,
      name,
      started: Number(started),
      finished: Number(finished),
      handedOff: Number(handedOff),
    }))
    .sort((a, b) => b.started - a.started || a.name.localeCompare(b.name))
}

/** Adds to the counts of a flow on a day. */
export async function countInDay(
  db: OrgDb,
  orgId: string,
  { flowId, day, started = 0, finished = 0, handedOff = 0 }: Partial<FlowCounts> & { flowId: string; day: string },
): Promise<void> {
  await db
    .insertInto('flow_day')
    .values({ flow_id: flowId, day, org_id: orgId, started, finished, handed_off: handedOff })
    .onConflict(conflict =>
      conflict.columns(['flow_id', 'day']).doUpdateSet({
        started: sql<number>`flow_day.started + ${started}`,
        finished: sql<number>`flow_day.finished + ${finished}`,
        handed_off: sql<number>`flow_day.handed_off + ${handedOff}`,
      }),
    )
    .execute()
}

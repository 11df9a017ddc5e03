import { sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Lane, LaneCount, LaneCounts } from '#shared/inbox/conversations.ts'
import { allOf, conditionsOf, isActive, type ListFilter, placeOfList } from './list-filter-store.ts'

/** Rows read to count a lane with further conditions: one or two milliseconds. */
const maxLookedAt = 500

/** Reads the beginning of a lane by its index and counts the rows that match. */
const countLane = (db: Db, { orgId, scope }: Viewer, [lane, filter]: readonly [Lane, ListFilter], most: number) => {
  const { way, rest } = conditionsOf(filter)
  const conditions = scope.kind === 'all' ? rest : [...rest, seen(scope)]
  const isWhole = !conditions.length
  let inner = db
    .selectFrom('conversation')
    .select(['id', 'contact_id', 'connection_id', 'assignee_id', 'team_id'])
    .where('org_id', '=', orgId)
    .where('kind', '=', listedKind(orgId))
    // A literal, so that the partial indexes of the lanes are used.
    .where('archived', '=', sql.lit(placeOfList(filter)))
  const active = isActive(filter)
  if (active) inner = inner.where(active)
  if (way) inner = inner.where(way)
  return db
    .selectFrom(inner.limit(isWhole ? most + 1 : maxLookedAt).as('conversation'))
    .select([
      sql.lit(lane).as('lane'),
      sql.lit(isWhole ? most + 1 : maxLookedAt).as('bound'),
      sql<number>`count(*)`.as('looked_at'),
      sql<number>`coalesce(sum(case when ${allOf(conditions)} then 1 else 0 end), 0)`.as('wanted'),
    ])
}

/** How many conversations of each lane the viewer sees, counted up to `most`. */
export async function countLanes(
  db: Db,
  viewer: Viewer,
  lanes: Readonly<Record<Lane, ListFilter>>,
  most: number,
): Promise<LaneCounts> {
  const [first, ...others] = (Object.entries(lanes) as [Lane, ListFilter][]).map(lane =>
    countLane(db, viewer, lane, most),
  )
  const rows = first ? await others.reduce((all, one) => all.unionAll(one), first).execute() : []
  return Object.fromEntries(
    rows.map(row => {
      const wanted = Number(row.wanted)
      const more = wanted > most || Number(row.looked_at) >= row.bound
      return [row.lane, { count: Math.min(wanted, most), more } satisfies LaneCount]
    }),
  ) as LaneCounts
}

import type { Db } from '#server/platform/db/database.ts'
import { wallTime } from '#shared/kernel/time.ts'
import { countSince } from './runs/day-store.ts'
import type { FlowServiceParts } from './service-parts.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Results of the sessions of the last seven days, by flow. */
export const countWeek = async (
  { clock, readTimeZone }: Pick<FlowServiceParts, 'clock' | 'readTimeZone'>,
  db: Db,
  orgId: string,
) => {
  const first = wallTime(clock.now().getTime() - 6 * dayMs, await readTimeZone(orgId, db)).slice(0, 10)
  return countSince(db, orgId, first)
}

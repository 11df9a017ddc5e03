import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import type { BusinessHours } from '#shared/orgs/business-hours.ts'

/** Business hours with their time zone; `hours` null: always open. */
interface ZonedHours {
  readonly hours: BusinessHours | null
  readonly timeZone: string
}

const hoursOf = hotQuery((db, p: { orgId: string }) =>
  db.selectFrom('org_settings').select(['business_hours', 'time_zone']).where('org_id', '=', p.orgId),
)

/** Inside a transaction, pass its `db`. */
export async function findBusinessHours(db: Db, orgId: string): Promise<ZonedHours> {
  const [row] = await hoursOf(db, { orgId })
  const hours = row?.business_hours ? (JSON.parse(row.business_hours) as BusinessHours) : null
  return { hours, timeZone: row?.time_zone ?? defaultTimeZone }
}

import type { Db } from '#server/platform/db/database.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { isoIn } from '#server/platform/time/clock.ts'
import type { BulkSendCare } from '#shared/bulk-sends/care.ts'
import { countMarketing } from '../audience/audience-store.ts'

type Cap = BulkSendCare['marketingCap']

const dayMs = 86_400_000

/** Returns the contacts who recently had as many marketing messages of bulk sends as the cap allows. */
export async function findCapped(
  db: Db,
  orgId: string,
  contactIds: readonly string[],
  { cap, clock }: { cap: Cap; clock: Clock },
): Promise<ReadonlySet<string>> {
  if (!cap || !contactIds.length) return new Set()
  const since = isoIn(clock, -cap.days * dayMs)
  const rows = await countMarketing(db, contactIds, { orgId, since })
  return new Set(rows.filter(({ count }) => Number(count) >= cap.sends).map(row => row.contact_id))
}

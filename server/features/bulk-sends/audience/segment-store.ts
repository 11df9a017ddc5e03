import { meetsSegment } from '#server/messaging/contacts/segments.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { SegmentFilter } from '#shared/contacts/segments.ts'
import { type ContactRow, contactColumns } from './audience-store.ts'

/** The last of the next `size` contacts. Undefined: none is left. */
export async function findWindowEnd(
  db: Db,
  orgId: string,
  { after, size }: { after: string; size: number },
): Promise<{ last: string; isWhole: boolean } | undefined> {
  const rows = await db
    .selectFrom('contact')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(size)
    .execute()
  const last = rows.at(-1)?.id
  return last === undefined ? undefined : { last, isWhole: rows.length === size }
}

/** Contacts between two ids that match a filter. `wroteSince`: the filter's days as a time. */
export const listOfSegment = (
  db: Db,
  orgId: string,
  filter: SegmentFilter,
  { after, last, wroteSince }: { after: string; last: string; wroteSince: string },
): Promise<ContactRow[]> =>
  db
    .selectFrom('contact')
    .select(contactColumns)
    .where('contact.org_id', '=', orgId)
    .where('contact.id', '>', after)
    .where('contact.id', '<=', last)
    .where(meetsSegment(filter, wroteSince))
    .orderBy('contact.id')
    .execute()

import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OmissionReason, RecipientState } from '#shared/bulk-sends/api.ts'

/** Who was left out for these was meant, and may get it another time. */
const meant: readonly OmissionReason[] = [
  'noPermission',
  'blocked',
  'optedOut',
  'capped',
  'valueMissing',
  'valueTooLong',
  'valueNotOneLine',
  'offerOver',
  'fileMissing',
  'fileKind',
  'fileAddress',
  'contactsFull',
]

/** Whom a send was for, in the order of its plan. For tests that look at it. */
export const selectAgain = (
  db: Db,
  orgId: string,
  sendId: string,
  { after, limit }: { after: number; limit: number },
) =>
  db
    .selectFrom('bulk_recipient')
    .select(['place', 'given', 'state'])
    .where('send_id', '=', sendId)
    .where('place', '>', after)
    // Who was erased is nobody to write to.
    .where('given', '<>', '')
    .where(({ or, eb }) => or([eb('state', '<>', 'omitted'), eb('reason', 'in', meant)]))
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .orderBy('place')
    .limit(limit)

export const listAgain = (
  ...from: Parameters<typeof selectAgain>
): Promise<{ place: number; given: string; state: RecipientState }[]> => selectAgain(...from).execute()

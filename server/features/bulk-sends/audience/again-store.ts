import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OmissionReason, RecipientState } from '#shared/bulk-sends/states.ts'

/** Recipients omitted for these reasons may be included when the send is repeated. */
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

/** The intended recipients of a send, in the order of its plan. Exported for tests. */
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
    // Erased people have an empty `given`.
    .where('given', '<>', '')
    .where(({ or, eb }) => or([eb('state', '<>', 'omitted'), eb('reason', 'in', meant)]))
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .orderBy('place')
    .limit(limit)

export const listAgain = (
  ...from: Parameters<typeof selectAgain>
): Promise<{ place: number; given: string; state: RecipientState }[]> => selectAgain(...from).execute()

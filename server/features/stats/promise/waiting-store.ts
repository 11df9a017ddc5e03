import type { Db } from '#server/platform/db/database.ts'
import { isUnattended } from '../cohort-store.ts'
import type { ConversationSegmentTable } from '../segments/table.ts'

export type WaitingPlace = Pick<ConversationSegmentTable, 'started_at' | 'id'>

/** Segments since a time whose customers wait for a first response, in the order of their index. */
export const listWaiting = (
  db: Db,
  orgId: string,
  { since, after, limit }: { since: string; after: WaitingPlace | undefined; limit: number },
): Promise<ConversationSegmentTable[]> =>
  db
    .selectFrom('conversation_segment')
    .selectAll()
    .where('org_id', '=', orgId)
    .where(isUnattended)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('started_at', 'id'), '>', tuple(after?.started_at ?? since, after?.id ?? '')),
    )
    .orderBy('started_at')
    .orderBy('id')
    .limit(limit)
    .execute()

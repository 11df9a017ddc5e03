import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { isPersonsConversation } from '#server/messaging/conversations/waiting/answer-due.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isUnattended } from '../cohort-store.ts'
import { type CountedRow, countedColumns } from '../figures/segment-facts.ts'

type UnattendedRow = CountedRow

/** The oldest `limit` unattended segments of the organization. Which of them the viewer sees is decided outside. */
const oldest = (db: Db, orgId: string, limit: number) =>
  db
    .selectFrom('conversation_segment')
    .select([...countedColumns, 'org_id', 'kind'])
    .where('org_id', '=', orgId)
    .where(isUnattended)
    .orderBy('started_at')
    .orderBy('id')
    .limit(limit)

/** Among the oldest `limit` unattended segments, those of people that the viewer may see, oldest first. */
export const listUnattended = (db: Db, { orgId, scope }: Viewer, limit: number): Promise<UnattendedRow[]> =>
  db
    .selectFrom(oldest(db, orgId, limit).as('conversation_segment'))
    .select(countedColumns)
    .where('kind', '=', listedKind(orgId))
    .where(seenThrough(scope, 'conversation_segment.conversation_id'))
    .where(isPersonsConversation('conversation_segment.conversation_id'))
    .orderBy('started_at')
    .orderBy('id')
    .execute()

export async function hasMoreUnattended(db: Db, orgId: string, limit: number): Promise<boolean> {
  const next = await db
    .selectFrom('conversation_segment')
    .select('id')
    .where('org_id', '=', orgId)
    .where(isUnattended)
    .orderBy('started_at')
    .orderBy('id')
    .limit(1)
    .offset(limit)
    .executeTakeFirst()
  return next !== undefined
}

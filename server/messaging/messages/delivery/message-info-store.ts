import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'

/** The times and statuses of a message. Undefined: no such message is visible to the viewer. */
export const findTimes = (db: Db, { orgId, scope }: Viewer, id: string) =>
  db
    .selectFrom('message')
    .select([
      'id',
      'wamid',
      'direction',
      'type',
      'author_kind',
      'author_name',
      'at',
      'sent_at',
      'delivered_at',
      'read_at',
      'failed_at',
    ])
    .select(['status', 'error_code', 'error_detail'])
    .where('message.org_id', '=', orgId)
    .where('message.id', '=', id)
    .where(seenThrough(scope, 'message.conversation_id'))
    .executeTakeFirst()

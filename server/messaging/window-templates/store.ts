import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Looks for a message with this key in the conversation since a time, sent by anybody. */
export async function hasSentSince(
  db: Db,
  { orgId, scope }: Viewer,
  { conversationId, since, clientKey }: { conversationId: string; since: string; clientKey: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('message')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('at', '>=', since)
    .where('client_key', '=', clientKey)
    .where(belongsTo('message.org_id', orgId))
    .where(seenThrough(scope, 'message.conversation_id'))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

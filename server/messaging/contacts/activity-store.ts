import { sql } from 'kysely'
import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { ThreadPlace } from '#server/messaging/messages/history/thread-store.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Must equal the index's expression. A parameter would keep it from being used. */
const isActivity = sql<boolean>`message.type = 'activity'`

interface ActivityQuery {
  /** At least one. */
  readonly conversationIds: readonly string[]
  /** Only lines before this position. */
  readonly before: ThreadPlace | undefined
  /** Per conversation. */
  readonly limit: number
}

/**
 * The newest activity lines of each of these conversations, read in index order, so that long threads cost no more than
 * short ones.
 */
export const selectActivity = (db: Db, { orgId, scope }: Viewer, { conversationIds, before, limit }: ActivityQuery) => {
  const newestOf = (conversationId: string) =>
    db
      .selectFrom('message')
      .select(['message.id', 'message.conversation_id', 'message.at', 'message.seq', 'message.content'])
      .where('message.conversation_id', '=', conversationId)
      .where(isActivity)
      .where('message.org_id', '=', orgId)
      .where(seenThrough(scope, 'message.conversation_id'))
      .$if(before !== undefined, lines =>
        lines.where(eb =>
          eb(eb.refTuple('message.at', 'message.seq'), '<', eb.tuple(before?.at ?? '', before?.seq ?? 0)),
        ),
      )
      .orderBy('message.at', 'desc')
      .orderBy('message.seq', 'desc')
      .limit(limit)
  // Each in a subquery, because a part of a union cannot be ordered.
  return conversationIds
    .map(id => db.selectFrom(newestOf(id).as('newest')).selectAll())
    .reduce((all, one) => all.unionAll(one))
}

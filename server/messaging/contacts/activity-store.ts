import { sql } from 'kysely'
import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ThreadPlace } from '../conversations/store.ts'

/** As the index is declared: a parameter in its place would keep it out. */
const isActivity = sql<boolean>`message.type = 'activity'`

interface Asked {
  /** At least one. */
  readonly conversationIds: readonly string[]
  /** Only what stands before it. */
  readonly before: ThreadPlace | undefined
  /** Of each conversation. */
  readonly limit: number
}

/**
 * Lines on what was done in these conversations, the newest of each: out of an index in that order, so that a long past
 * costs no more than a short one.
 */
export const selectActivity = (db: Db, { orgId, scope }: Viewer, { conversationIds, before, limit }: Asked) => {
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
  // Each in a query of its own: a part of a union cannot be ordered.
  return conversationIds
    .map(id => db.selectFrom(newestOf(id).as('newest')).selectAll())
    .reduce((all, one) => all.unionAll(one))
}

import { scopedQuery, seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { cut, type Page } from '#server/messaging/conversations/list/page.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { attachMedia, type MessageCore, type MessageRow, selectCore } from '../message-store.ts'

const threadPage = scopedQuery<{ orgId: string; conversationId: string; limit: number; offset: number }, MessageCore>(
  (db, p, scope) =>
    selectCore(db)
      .where('message.conversation_id', '=', p.conversationId)
      .where(belongsTo('message.org_id', p.orgId))
      .where(seenThrough(scope, 'message.conversation_id'))
      .orderBy('message.at', 'desc')
      .orderBy('message.seq', 'desc')
      .limit(p.limit)
      .offset(p.offset),
)

const threadBefore = scopedQuery<
  { orgId: string; conversationId: string; at: string; seq: number; limit: number; offset: number },
  MessageCore
>((db, p, scope) =>
  selectCore(db)
    .where('message.conversation_id', '=', p.conversationId)
    .where(belongsTo('message.org_id', p.orgId))
    .where(seenThrough(scope, 'message.conversation_id'))
    .where(eb => eb(eb.refTuple('message.at', 'message.seq'), '<', eb.tuple(p.at, p.seq)))
    .orderBy('message.at', 'desc')
    .orderBy('message.seq', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)

const threadFrom = scopedQuery<
  { orgId: string; conversationId: string; at: string; seq: number; limit: number },
  MessageCore
>((db, p, scope) =>
  selectCore(db)
    .where('message.conversation_id', '=', p.conversationId)
    .where(belongsTo('message.org_id', p.orgId))
    .where(seenThrough(scope, 'message.conversation_id'))
    .where(eb => eb(eb.refTuple('message.at', 'message.seq'), '>=', eb.tuple(p.at, p.seq)))
    .orderBy('message.at')
    .orderBy('message.seq')
    .limit(p.limit),
)

/** A position in a thread: messages are ordered by time, then by arrival. */
export interface ThreadPlace {
  at: string
  seq: number
}

/** The position of a message. Undefined: it is not in this thread. */
export const findPlace = (
  db: Db,
  { orgId, scope }: Viewer,
  conversationId: string,
  messageId: string,
): Promise<ThreadPlace | undefined> =>
  db
    .selectFrom('message')
    .select(['at', 'seq'])
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', messageId)
    .where(seenThrough(scope, 'message.conversation_id'))
    .executeTakeFirst()

/** A page of a thread, newest first, from its end or before a position. */
export async function listThread(
  db: Db,
  viewer: Viewer,
  query: { conversationId: string; before: ThreadPlace | undefined; page: number; pageSize: number },
): Promise<Page<MessageRow>> {
  const { conversationId, before, page, pageSize } = query
  const common = { conversationId, limit: pageSize + 1, offset: (page - 1) * pageSize }
  const found = before ? await threadBefore(db, viewer, { ...common, ...before }) : await threadPage(db, viewer, common)
  const { rows, hasMore } = cut(found, pageSize)
  return { rows: await attachMedia(db, viewer.orgId, rows), hasMore }
}

interface PageWithin extends Page<MessageRow> {
  hasNewer: boolean
}

/** A page of a thread, newest first, that begins after a position. */
export async function listThreadAfter(
  db: Db,
  viewer: Viewer,
  query: { conversationId: string; place: ThreadPlace; pageSize: number },
): Promise<PageWithin> {
  const { conversationId, place, pageSize } = query
  // The first row is the one at the position.
  const found = await threadFrom(db, viewer, { conversationId, ...place, limit: pageSize + 2 })
  const { rows, hasMore: hasNewer } = cut(found.slice(1), pageSize)
  return { rows: await attachMedia(db, viewer.orgId, rows.reverse()), hasMore: true, hasNewer }
}

/** A page of a thread, newest first, with a position in its middle. */
export async function listThreadAround(
  db: Db,
  viewer: Viewer,
  query: { conversationId: string; place: ThreadPlace; pageSize: number },
): Promise<PageWithin> {
  const { conversationId, place, pageSize } = query
  const common = { conversationId, ...place }
  const newest = Math.floor(pageSize / 2)
  const from = cut(await threadFrom(db, viewer, { ...common, limit: newest + 1 }), newest)
  const limit = pageSize - newest + 1
  const before = cut(await threadBefore(db, viewer, { ...common, limit, offset: 0 }), limit - 1)
  const rows = await attachMedia(db, viewer.orgId, [...from.rows.reverse(), ...before.rows])
  return { rows, hasMore: before.hasMore, hasNewer: from.hasMore }
}

/** A page of a thread, newest first, that begins with the first message at or after a time (ISO 8601 UTC). */
export async function listThreadSince(
  db: Db,
  viewer: Viewer,
  { conversationId, since, pageSize }: { conversationId: string; since: string; pageSize: number },
): Promise<PageWithin> {
  const place = { conversationId, at: since, seq: 0 }
  const { rows, hasMore: hasNewer } = cut(await threadFrom(db, viewer, { ...place, limit: pageSize + 1 }), pageSize)
  const before = await threadBefore(db, viewer, { ...place, limit: 1, offset: 0 })
  return { rows: await attachMedia(db, viewer.orgId, rows.reverse()), hasMore: before.length > 0, hasNewer }
}

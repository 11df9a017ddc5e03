import { sql } from 'kysely'
import { scopedQuery, seen, seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ChatRef, Identifier } from '../identifier.ts'
import { attachMedia, type MessageCore, type MessageRow, selectCore } from '../messages/message-store.ts'
import { type ListRow, maxOfContact, selectRows } from './list-row-store.ts'
import { cut, type Page } from './page.ts'

/** A customer has one conversation per number: those of the inbox come first, then the latest activity. */
const inOrder = <Row extends { is_listed: number | null; last_activity_at: string }>(rows: Row[]): Row[] =>
  rows.length < 2
    ? rows
    : rows.toSorted(
        (a, b) => (b.is_listed ?? 0) - (a.is_listed ?? 0) || (a.last_activity_at < b.last_activity_at ? 1 : -1),
      )

type ListedRow = ListRow & { is_listed: number | null }

const rowByIdentity = scopedQuery<{ orgId: string; kind: string; key: string }, ListedRow>((db, p, scope) =>
  selectRows(db)
    .select('wa_connection.is_listed')
    .innerJoin('contact_identity', 'contact_identity.contact_id', 'conversation.contact_id')
    .where('contact_identity.org_id', '=', p.orgId)
    .where('contact_identity.kind', '=', p.kind as Identifier['kind'])
    .where('contact_identity.match_key', '=', p.key)
    .where(belongsTo('conversation.org_id', p.orgId))
    .where(seen(scope))
    .limit(sql.lit(maxOfContact)),
)

const rowById = scopedQuery<{ orgId: string; id: string }, ListRow>((db, p, scope) =>
  selectRows(db)
    .where('conversation.id', '=', p.id)
    .where(belongsTo('conversation.org_id', p.orgId))
    .where(seen(scope)),
)

/** All conversations an address may mean, the best one first. Empty: none exists for this viewer. */
export const findConversations = async (db: Db, viewer: Viewer, { kind, key }: ChatRef): Promise<ListRow[]> =>
  kind === 'conversation' ? rowById(db, viewer, { id: key }) : inOrder(await rowByIdentity(db, viewer, { kind, key }))

/** The conversation an address means, in any spelling. Undefined: it does not exist for this viewer. */
export const findConversation = async (db: Db, viewer: Viewer, ref: ChatRef): Promise<ListRow | undefined> =>
  (await findConversations(db, viewer, ref))[0]

const idByIdentity = scopedQuery<
  { orgId: string; kind: string; key: string },
  { id: string; last_activity_at: string; is_listed: number | null }
>((db, p, scope) =>
  db
    .selectFrom('contact_identity')
    .innerJoin('conversation', 'conversation.contact_id', 'contact_identity.contact_id')
    .leftJoin('wa_connection', 'wa_connection.id', 'conversation.connection_id')
    .select(['conversation.id', 'conversation.last_activity_at', 'wa_connection.is_listed'])
    .where('contact_identity.org_id', '=', p.orgId)
    .where('contact_identity.kind', '=', p.kind as Identifier['kind'])
    .where('contact_identity.match_key', '=', p.key)
    .where(belongsTo('conversation.org_id', p.orgId))
    .where(seen(scope))
    .limit(sql.lit(maxOfContact)),
)

export const findConversationId = async (
  db: Db,
  viewer: Viewer,
  { kind, key }: ChatRef,
): Promise<string | undefined> =>
  kind === 'conversation'
    ? (await rowById(db, viewer, { id: key }))[0]?.id
    : inOrder(await idByIdentity(db, viewer, { kind, key }))[0]?.id

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

export const lastWriterDepth = 50

/** The member who wrote last among the newest fifty messages. Undefined: no named one. */
export async function findLastWriter(db: Db, orgId: string, conversationId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom(
      db
        .selectFrom('message')
        .select(['author_kind', 'author_id', 'direction', 'at', 'seq'])
        .where(belongsTo('message.org_id', orgId))
        .where('conversation_id', '=', conversationId)
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .limit(lastWriterDepth)
        .as('newest'),
    )
    .select('author_id')
    .where('author_kind', '=', 'person')
    .where('direction', '=', 'out')
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.author_id ?? undefined
}

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

export interface PageWithin extends Page<MessageRow> {
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

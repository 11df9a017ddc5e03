import { isOf } from '../bulk.ts'
import { type Db, hotQuery } from '../db.ts'
import type { Identifier } from './identifier.ts'
import { type ListRow, type ShownRow, selectRows, selectShown } from './list-row.ts'
import { attachMedia, type MessageCore, type MessageRow, selectCore } from './message-store.ts'
import { findConversationIds } from './search.ts'

export interface ListQuery {
  page: number
  pageSize: number
  archived: boolean
  search?: string
  /** Of the country people leave out when they type a number; Argentina's unless given. */
  callingCode?: string | undefined
  /** Ids of tags; a conversation must have all. */
  tags?: readonly string[]
}

/** A page's rows; `hasMore` says whether another follows. */
export interface Page<Row> {
  rows: Row[]
  hasMore: boolean
}

const cut = <Row>(rows: Row[], pageSize: number): Page<Row> =>
  rows.length > pageSize ? { rows: rows.slice(0, pageSize), hasMore: true } : { rows, hasMore: false }

const listPage = hotQuery<{ orgId: string; archived: number; limit: number; offset: number }, ShownRow>((db, p) =>
  selectShown(db)
    .where('conversation.org_id', '=', p.orgId)
    .where('conversation.archived', '=', p.archived)
    .orderBy('conversation.last_activity_at', 'desc')
    .orderBy('conversation.id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)

/** Conversations, latest activity first. One row more than asked is read to know whether there are more. */
export async function listConversations(db: Db, orgId: string, query: ListQuery): Promise<Page<ShownRow>> {
  const { page, pageSize } = query
  const archived = query.archived ? 1 : 0
  const limit = pageSize + 1
  const offset = (page - 1) * pageSize
  const search = query.search?.trim()
  const tags = [...new Set(query.tags)]
  if (!search && !tags.length) return cut(await listPage(db, { orgId, archived, limit, offset }), pageSize)
  let select = selectShown(db).where('conversation.archived', '=', archived)
  if (search) {
    const ids = await findConversationIds(db, orgId, archived, search, query.callingCode)
    if (!ids.length) return { rows: [], hasMore: false }
    select = select.where('conversation.id', 'in', ids).where(isOf('conversation.org_id', orgId))
  } else select = select.where('conversation.org_id', '=', orgId)
  if (tags.length)
    select = select.where('conversation.contact_id', 'in', eb =>
      eb
        .selectFrom('contact_tag')
        .select('contact_tag.contact_id')
        .where('contact_tag.org_id', '=', orgId)
        .where('contact_tag.tag_id', 'in', tags)
        .groupBy('contact_tag.contact_id')
        .having(count => count.fn.countAll<number>(), '=', tags.length),
    )
  const rows = await select
    .orderBy('conversation.last_activity_at', 'desc')
    .orderBy('conversation.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return cut(rows, pageSize)
}

const rowByIdentity = hotQuery<{ orgId: string; kind: string; key: string }, ListRow>((db, p) =>
  selectRows(db)
    .innerJoin('contact_identity', 'contact_identity.contact_id', 'conversation.contact_id')
    .where('contact_identity.org_id', '=', p.orgId)
    .where('contact_identity.kind', '=', p.kind as Identifier['kind'])
    .where('contact_identity.match_key', '=', p.key)
    .where(isOf('conversation.org_id', p.orgId)),
)

/** The chat behind an address, in whatever spelling. Undefined: not there, or not this organization's. */
export async function findConversation(db: Db, orgId: string, identifier: Identifier): Promise<ListRow | undefined> {
  return (await rowByIdentity(db, { orgId, kind: identifier.kind, key: identifier.key }))[0]
}

const idByIdentity = hotQuery<{ orgId: string; kind: string; key: string }, { id: string }>((db, p) =>
  db
    .selectFrom('contact_identity')
    .innerJoin('conversation', 'conversation.contact_id', 'contact_identity.contact_id')
    .select('conversation.id')
    .where('contact_identity.org_id', '=', p.orgId)
    .where('contact_identity.kind', '=', p.kind as Identifier['kind'])
    .where('contact_identity.match_key', '=', p.key)
    .where(isOf('conversation.org_id', p.orgId)),
)

/** Only the chat's id, for reading its thread. */
export async function findConversationId(db: Db, orgId: string, identifier: Identifier): Promise<string | undefined> {
  return (await idByIdentity(db, { orgId, kind: identifier.kind, key: identifier.key }))[0]?.id
}

const threadPage = hotQuery<{ orgId: string; conversationId: string; limit: number; offset: number }, MessageCore>(
  (db, p) =>
    selectCore(db)
      .where('message.conversation_id', '=', p.conversationId)
      .where(isOf('message.org_id', p.orgId))
      .orderBy('message.at', 'desc')
      .orderBy('message.seq', 'desc')
      .limit(p.limit)
      .offset(p.offset),
)

const threadBefore = hotQuery<
  { orgId: string; conversationId: string; at: string; seq: number; limit: number; offset: number },
  MessageCore
>((db, p) =>
  selectCore(db)
    .where('message.conversation_id', '=', p.conversationId)
    .where(isOf('message.org_id', p.orgId))
    .where(eb => eb(eb.refTuple('message.at', 'message.seq'), '<', eb.tuple(p.at, p.seq)))
    .orderBy('message.at', 'desc')
    .orderBy('message.seq', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)

/** A place in a thread: messages are ordered by time, then by arrival. */
export interface Place {
  at: string
  seq: number
}

/** Where a message of this thread stands. Undefined: it is not in it. */
export const findPlace = (
  db: Db,
  orgId: string,
  conversationId: string,
  messageId: string,
): Promise<Place | undefined> =>
  db
    .selectFrom('message')
    .select(['at', 'seq'])
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', messageId)
    .executeTakeFirst()

const lastWriterDepth = 50

/** Who of ours wrote last among the newest fifty messages; undefined: nobody by name. */
export async function findLastWriter(db: Db, orgId: string, conversationId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom(
      db
        .selectFrom('message')
        .select(['author_kind', 'author_id', 'at', 'seq'])
        .where(isOf('message.org_id', orgId))
        .where('conversation_id', '=', conversationId)
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .limit(lastWriterDepth)
        .as('newest'),
    )
    .select('author_id')
    .where('author_kind', '=', 'person')
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.author_id ?? undefined
}

/** A page of a thread, newest first, from its end or from just before a place. */
export async function listThread(
  db: Db,
  orgId: string,
  query: { conversationId: string; before: Place | undefined; page: number; pageSize: number },
): Promise<Page<MessageRow>> {
  const { conversationId, before, page, pageSize } = query
  const common = { orgId, conversationId, limit: pageSize + 1, offset: (page - 1) * pageSize }
  const found = before ? await threadBefore(db, { ...common, ...before }) : await threadPage(db, common)
  const { rows, hasMore } = cut(found, pageSize)
  return { rows: await attachMedia(db, orgId, rows), hasMore }
}

import { sql } from 'kysely'
import { scopedQuery, seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { ChatRef, Identifier } from '#server/messaging/identifier.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type ListRow, maxOfContact, selectRows } from './list-row-store.ts'

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

import { sql } from 'kysely'
import { bulkQuery, lookupQuery, wholeNumber } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { SegmentMessage } from './facts.ts'
import type { Carry, Segment } from './fold.ts'
import '../packs/table.ts'
import type { ConversationSegmentPlaceTable, ConversationSegmentTable } from './table.ts'

type Row = ConversationSegmentTable
export type PlaceRow = ConversationSegmentPlaceTable

/** The conversation that a segment belongs to. */
interface SegmentConversation {
  readonly conversationId: string
  readonly orgId: string
  readonly connectionId: string
  readonly kind: 'cloud' | 'sandbox'
}

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))
const msOrNull = (at: string | null): number | null => (at === null ? null : Date.parse(at))

export const rowOf = (segment: Segment, place: SegmentConversation): Row => ({
  id: segment.id,
  org_id: place.orgId,
  conversation_id: place.conversationId,
  connection_id: place.connectionId,
  kind: place.kind,
  started_at: iso(segment.startedAt),
  start_seq: segment.startSeq,
  last_at: iso(segment.lastAt),
  resolved_at: isoOrNull(segment.resolvedAt),
  is_last: segment.isLast ? 1 : 0,
  owner_id: segment.ownerId,
  team_id: segment.teamId,
  origin: segment.origin,
  has_bot: segment.hasBot ? 1 : 0,
  handed_at: isoOrNull(segment.handedAt),
  first_reply_at: isoOrNull(segment.firstReplyAt),
  first_reply_by: segment.firstReplyBy,
  waiting_since: isoOrNull(segment.waitingSince),
  waits: JSON.stringify(segment.waits),
  messages_in: segment.messagesIn,
  messages_out: segment.messagesOut,
  seed_owner_id: segment.seed.ownerId,
  seed_team_id: segment.seed.teamId,
  seed_bulk_at: isoOrNull(segment.seed.bulkAt),
})

export const seedOf = (row: Pick<Row, 'seed_owner_id' | 'seed_team_id' | 'seed_bulk_at'>): Carry => ({
  ownerId: row.seed_owner_id,
  teamId: row.seed_team_id,
  bulkAt: msOrNull(row.seed_bulk_at),
})

export const segmentOf = (row: Row): Segment => ({
  id: row.id,
  startedAt: Date.parse(row.started_at),
  startSeq: row.start_seq,
  lastAt: Date.parse(row.last_at),
  resolvedAt: msOrNull(row.resolved_at),
  isLast: row.is_last === 1,
  ownerId: row.owner_id,
  teamId: row.team_id,
  origin: row.origin,
  hasBot: row.has_bot === 1,
  handedAt: msOrNull(row.handed_at),
  firstReplyAt: msOrNull(row.first_reply_at),
  firstReplyBy: row.first_reply_by,
  waitingSince: msOrNull(row.waiting_since),
  waits: JSON.parse(row.waits) as number[],
  messagesIn: row.messages_in,
  messagesOut: row.messages_out,
  seed: seedOf(row),
})

export const carryOf = (row: PlaceRow): Carry => ({
  ownerId: row.owner_id,
  teamId: row.team_id,
  bulkAt: msOrNull(row.bulk_at),
})

/** Large contents are left out unless segments depend on them. */
const content = sql<string | null>`case when message.type in ('activity', 'system')
  or (message.direction = 'in' and message.content like '%"referral"%') then message.content end`

const selectSegmentMessages = (db: Db) =>
  db
    .selectFrom('message')
    .select(['message.seq', 'message.id', 'message.conversation_id', 'message.at', 'message.direction'])
    .select(['message.type', 'message.author_kind', 'message.author_id', 'message.status', content.as('content')])
    .select('message.import_id')

/** Messages with a larger `seq`, in the order of their arrival. */
export const listArrived = (db: Db, seq: number, limit: number): Promise<SegmentMessage[]> =>
  selectSegmentMessages(db).where('message.seq', '>', seq).orderBy('message.seq').limit(limit).execute()

/** Orders the messages of a conversation by when they were said; `seq` decides between messages of the same ms. */
export interface Position {
  readonly at: string
  readonly seq: number
}

/**
 * Messages of a conversation after a position, or from it on with `isIncluded`, in the order in which they were said,
 * without imported ones.
 */
export const listFromPosition = (
  db: Db,
  conversationId: string,
  { from, isIncluded, limit }: { from: Position | undefined; isIncluded: boolean; limit: number },
): Promise<SegmentMessage[]> =>
  selectSegmentMessages(db)
    .where('message.conversation_id', '=', conversationId)
    .where('message.import_id', 'is', null)
    .$if(from !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('message.at', 'message.seq'), isIncluded ? '>=' : '>', tuple(from?.at ?? '', from?.seq ?? 0)),
      ),
    )
    .orderBy('message.at')
    .orderBy('message.seq')
    .limit(limit)
    .execute()

/** True if messages of the conversation are not yet read into its segments. */
export async function isBehind(db: Db, conversationId: string): Promise<boolean> {
  const [place] = await findPlaces(db, [conversationId], {})
  const from = place && { at: place.at, seq: place.seq }
  return (await listFromPosition(db, conversationId, { from, isIncluded: false, limit: 1 })).length > 0
}

export async function readSegmentPlace(db: Db): Promise<number> {
  const row = await db
    .selectFrom('conversation_segment_read')
    .select('seq')
    .where('name', '=', 'message')
    .executeTakeFirst()
  return row?.seq ?? 0
}

export const saveSegmentPlace = (trx: Db, seq: number) =>
  trx.updateTable('conversation_segment_read').set({ seq }).where('name', '=', 'message').execute()

export interface ConversationRow {
  readonly id: string
  readonly org_id: string
  readonly connection_id: string
  readonly kind: 'cloud' | 'sandbox'
}

export const findConversations = lookupQuery<object, ConversationRow>((db, ids) =>
  db.selectFrom('conversation').select(['id', 'org_id', 'connection_id', 'kind']).where('id', 'in', ids),
)

export const findPlaces = lookupQuery<object, PlaceRow>((db, ids) =>
  db.selectFrom('conversation_segment_place').selectAll().where('conversation_id', 'in', ids),
)

export const findLastSegments = lookupQuery<object, Row>((db, ids) =>
  db
    .selectFrom('conversation_segment')
    .selectAll()
    .where('conversation_id', 'in', ids)
    // Literally as in the index `conversation_segment_last`.
    .where(sql<boolean>`is_last = 1`),
)

export const listNewestConversations = (db: Db, limit: number): Promise<ConversationRow[]> =>
  db
    .selectFrom('conversation')
    .select(['id', 'org_id', 'connection_id', 'kind'])
    .where('last_message_seq', 'is not', null)
    .orderBy('last_message_seq', 'desc')
    .limit(limit)
    .execute()

export const listSegments = (db: Db, conversationId: string): Promise<Row[]> =>
  db
    .selectFrom('conversation_segment')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .orderBy('started_at')
    .orderBy('start_seq')
    .execute()

type Start = Pick<Row, 'id' | 'started_at' | 'start_seq' | 'seed_owner_id' | 'seed_team_id' | 'seed_bulk_at'>

const selectStarts = (db: Db, conversationId: string) =>
  db
    .selectFrom('conversation_segment')
    .select(['id', 'started_at', 'start_seq', 'seed_owner_id', 'seed_team_id', 'seed_bulk_at'])
    .where('conversation_id', '=', conversationId)

/** The last segment that began at a position or before it. */
export const findStartUpTo = (db: Db, conversationId: string, { at, seq }: Position): Promise<Start | undefined> =>
  selectStarts(db, conversationId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('started_at', 'start_seq'), '<=', tuple(at, seq)))
    .orderBy('started_at', 'desc')
    .orderBy('start_seq', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The last segment that began before a position. */
export const findSegmentBefore = (db: Db, conversationId: string, { at, seq }: Position): Promise<Row | undefined> =>
  db
    .selectFrom('conversation_segment')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('started_at', 'start_seq'), '<', tuple(at, seq)))
    .orderBy('started_at', 'desc')
    .orderBy('start_seq', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The first segment that began at a position or after it. */
export const findStartFrom = (db: Db, conversationId: string, { at, seq }: Position): Promise<Start | undefined> =>
  selectStarts(db, conversationId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('started_at', 'start_seq'), '>=', tuple(at, seq)))
    .orderBy('started_at')
    .orderBy('start_seq')
    .limit(1)
    .executeTakeFirst()

/** Deletes segments that began at a position or after it. Without `from`: all of the conversation. */
export const deleteSegmentsFrom = (trx: Db, conversationId: string, from: Position | undefined) =>
  trx
    .deleteFrom('conversation_segment')
    .where('conversation_id', '=', conversationId)
    .$if(from !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('started_at', 'start_seq'), '>=', tuple(from?.at ?? '', from?.seq ?? 0)),
      ),
    )
    .execute()

/**
 * Conversations whose segments must be rebuilt. `is_nobody`: the contact is being erased, so its segments stay as they are.
 * Erasure clears the identifiers of a contact before it deletes the messages.
 */
export const listDue = (db: Db, limit: number) =>
  db
    .selectFrom('conversation_segment_due as due')
    .innerJoin('conversation', 'conversation.id', 'due.conversation_id')
    .innerJoin('contact', 'contact.id', 'conversation.contact_id')
    .select(['conversation.id', 'conversation.org_id', 'conversation.connection_id', 'conversation.kind'])
    .select(
      sql<number>`case when contact.wa_id is null and contact.bsuid is null and contact.username is null
        and contact.is_group = 0 then 1 else 0 end`.as('is_nobody'),
    )
    .orderBy('due.conversation_id')
    .limit(limit)
    .execute()

export const clearDue = (trx: Db, ids: readonly string[]) =>
  trx.deleteFrom('conversation_segment_due').where('conversation_id', 'in', ids).execute()

export const saveSegments = bulkQuery<Row, object, never>(
  (db, rows) =>
    db
      .insertInto('conversation_segment')
      .values(
        rows.map(row => ({
          id: row.id,
          org_id: row.org_id,
          conversation_id: row.conversation_id,
          connection_id: row.connection_id,
          kind: row.kind,
          started_at: row.started_at,
          start_seq: row.start_seq,
          last_at: row.last_at,
          resolved_at: row.resolved_at,
          is_last: row.is_last,
          owner_id: row.owner_id,
          team_id: row.team_id,
          origin: row.origin,
          has_bot: row.has_bot,
          handed_at: row.handed_at,
          first_reply_at: row.first_reply_at,
          first_reply_by: row.first_reply_by,
          waiting_since: row.waiting_since,
          waits: row.waits,
          messages_in: row.messages_in,
          messages_out: row.messages_out,
          seed_owner_id: row.seed_owner_id,
          seed_team_id: row.seed_team_id,
          seed_bulk_at: row.seed_bulk_at,
        })),
      )
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet(eb => ({
          last_at: eb.ref('excluded.last_at'),
          resolved_at: eb.ref('excluded.resolved_at'),
          is_last: eb.ref('excluded.is_last'),
          owner_id: eb.ref('excluded.owner_id'),
          team_id: eb.ref('excluded.team_id'),
          has_bot: eb.ref('excluded.has_bot'),
          handed_at: eb.ref('excluded.handed_at'),
          first_reply_at: eb.ref('excluded.first_reply_at'),
          first_reply_by: eb.ref('excluded.first_reply_by'),
          waiting_since: eb.ref('excluded.waiting_since'),
          waits: eb.ref('excluded.waits'),
          messages_in: eb.ref('excluded.messages_in'),
          messages_out: eb.ref('excluded.messages_out'),
        })),
      ) as never,
)

export const savePlaces = bulkQuery<PlaceRow, object, never>((_db, rows) => {
  const values = sql.join(
    rows.map(
      row =>
        sql`(${row.conversation_id}, ${row.org_id}, ${row.at}, ${wholeNumber(row.seq)}, ${row.owner_id}, ${row.team_id}, ${row.bulk_at})`,
    ),
  )
  return sql<never>`insert into conversation_segment_place (conversation_id, org_id, at, seq, owner_id, team_id, bulk_at)
    values ${values} on conflict (conversation_id) do update set at = excluded.at, seq = excluded.seq,
    owner_id = excluded.owner_id, team_id = excluded.team_id, bulk_at = excluded.bulk_at`
})

/** Deletes at most `limit` segments that began before a time. Returns how many. */
export const deleteOldSegments = async (trx: Db, before: string, limit: number): Promise<number> => {
  const { numDeletedRows } = await trx
    .deleteFrom('conversation_segment')
    .where('id', 'in', eb =>
      eb
        .selectFrom(
          // The organizations that have any: their segments have an index by organization and time.
          trx
            .selectFrom('conversation_segment_pack')
            .select('org_id')
            .distinct()
            .where('day', '<=', before.slice(0, 10))
            .as('with_old'),
        )
        .innerJoin('conversation_segment as old', 'old.org_id', 'with_old.org_id')
        .select('old.id')
        .where('old.started_at', '<', before)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

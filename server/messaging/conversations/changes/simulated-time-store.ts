import { sql } from 'kysely'
import { belongsTo, bulkWrite, wholeNumber } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'

interface AgedConversation {
  id: string
  window_closes_at: string | null
  last_activity_at: string | null
  waiting_since: string | null
  last_message_at: string | null
  last_human_event_at: string | null
  created_at: string | null
}

export const saveConversationTimes = bulkWrite<AgedConversation, { orgId: string }, never>((_db, rows, { orgId }) => {
  const values = sql.join(
    rows.map(
      row => sql`(${row.id}, ${row.window_closes_at}, ${row.last_activity_at}, ${row.last_message_at},
    ${row.last_human_event_at}, ${row.created_at}, ${row.waiting_since})`,
    ),
  )
  return sql<never>`update conversation set window_closes_at = v.column2, last_activity_at = v.column3, last_message_at = v.column4,
    last_human_event_at = v.column5, created_at = v.column6, waiting_since = v.column7
    from (values ${values}) as v where conversation.id = v.column1 and ${belongsTo('conversation.org_id', orgId)}`
}, 'update')

interface AgedMessage {
  seq: number
  at: string | null
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  failed_at: string | null
  edited_at: string | null
  revoked_at: string | null
}

export const saveMessageTimes = bulkWrite<AgedMessage, { orgId: string }, never>((_db, rows, { orgId }) => {
  const values = sql.join(
    rows.map(
      row => sql`(${wholeNumber(row.seq)}, ${row.at}, ${row.sent_at}, ${row.delivered_at}, ${row.read_at},
    ${row.failed_at}, ${row.edited_at}, ${row.revoked_at})`,
    ),
  )
  return sql<never>`update message set at = v.column2, sent_at = v.column3, delivered_at = v.column4, read_at = v.column5,
    failed_at = v.column6, edited_at = v.column7, revoked_at = v.column8
    from (values ${values}) as v where message.seq = v.column1 and ${belongsTo('message.org_id', orgId)}`
}, 'update')

export const saveReactionTimes = bulkWrite<{ message_id: string; by: string; at: string }, { orgId: string }, never>(
  (_db, rows, { orgId }) => {
    const values = sql.join(rows.map(row => sql`(${row.message_id}, ${row.by}, ${row.at})`))
    return sql<never>`update reaction set at = v.column3 from (values ${values}) as v
    where reaction.message_id = v.column1 and reaction."by" = v.column2 and ${belongsTo('reaction.org_id', orgId)}`
  },
  'update',
)

/** The newest message of all organizations. 0: none. */
export async function findNewestSeq(db: Db): Promise<number> {
  const newest = await db
    .selectFrom('message')
    .select(eb => eb.fn.max('seq').as('seq'))
    .executeTakeFirst()
  return newest?.seq ?? 0
}

/** Messages of a conversation after one arrival number and up to another, in order. */
export const listMessageTimes = (
  db: Db,
  orgId: string,
  conversationId: string,
  { after, until, limit }: { after: number; until: number; limit: number },
) =>
  db
    .selectFrom('message')
    .select(['seq', 'id', 'at', 'sent_at', 'delivered_at', 'read_at', 'failed_at', 'edited_at', 'revoked_at'])
    .where(belongsTo('message.org_id', orgId))
    .where('conversation_id', '=', conversationId)
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .orderBy('seq')
    .limit(limit)
    .execute()

export const listReactionTimes = (db: Db, orgId: string, messageIds: readonly string[]) =>
  db
    .selectFrom('reaction')
    .select(['message_id', 'by', 'at'])
    .where(belongsTo('reaction.org_id', orgId))
    .where('message_id', 'in', messageIds)
    .execute()

/** The conversations of a simulated number after an id, by id. */
export const listSimulatedTimes = (
  db: Db,
  orgId: string,
  connectionId: string,
  { after, limit }: { after: string; limit: number },
) =>
  db
    .selectFrom('conversation')
    .select([
      'id',
      'window_closes_at',
      'last_activity_at',
      'last_message_at',
      'last_human_event_at',
      'created_at',
      'waiting_since',
    ])
    .select('last_message_seq')
    .where(belongsTo('conversation.org_id', orgId))
    .where('connection_id', '=', connectionId)
    .where('kind', '=', 'sandbox')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

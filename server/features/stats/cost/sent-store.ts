import { sql } from 'kysely'
import { bulkQuery, lookupQuery, wholeNumber } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { SentCounts, SentKey, SentMessageTable } from './table.ts'

/** A message with what its billing depends on. */
export interface ArrivedRow {
  readonly seq: number
  readonly id: string
  readonly org_id: string
  readonly conversation_id: string
  readonly direction: string
  readonly type: string
  readonly author_kind: string | null
  /** Null: not imported. */
  readonly import_id: string | null
  readonly at: string
  readonly status: string
  readonly error_code: string | null
  readonly delivered_at: string | null
  readonly read_at: string | null
  readonly pricing: string | null
  /** JSON; null unless it is a template. */
  readonly content: string | null
  readonly connection_id: string
  readonly free_until: string | null
  readonly wa_id: string | null
}

const selectArrived = (db: Db) =>
  db
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .innerJoin('contact', 'contact.id', 'conversation.contact_id')
    .select(['message.seq', 'message.id', 'message.org_id', 'message.conversation_id', 'message.direction'])
    .select(['message.type', 'message.author_kind', 'message.at', 'message.status', 'message.error_code'])
    .select(['message.delivered_at', 'message.read_at', 'message.pricing', 'message.import_id'])
    .select(['conversation.connection_id', 'conversation.free_until', 'contact.wa_id'])
    .select(sql<string | null>`case when message.type = 'template' then message.content end`.as('content'))

/** Messages that arrived after a position, in that order. */
export const listArrived = (db: Db, seq: number, limit: number): Promise<ArrivedRow[]> =>
  selectArrived(db).where('message.seq', '>', seq).orderBy('message.seq').limit(limit).execute()

export const findArrived = lookupQuery<object, ArrivedRow>((db, ids) =>
  selectArrived(db).where('message.id', 'in', ids),
)

export async function readPosition(db: Db): Promise<number> {
  const row = await db.selectFrom('sent_message_read').select('seq').where('name', '=', 'message').executeTakeFirst()
  return row?.seq ?? 0
}

export const savePosition = (trx: Db, seq: number) =>
  trx.updateTable('sent_message_read').set({ seq }).where('name', '=', 'message').execute()

/** `read`: the `seq` of the last message that was counted. `last`: the newest `seq` there is. */
export async function readCountingProgress(db: Db): Promise<{ read: number; last: number }> {
  const newest = await db.selectFrom('message').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return { read: await readPosition(db), last: newest?.seq ?? 0 }
}

interface DueRow {
  readonly message_id: string
  readonly org_id: string
  readonly opted_out: number
}

export const listDueMessages = (db: Db, limit: number): Promise<DueRow[]> =>
  db.selectFrom('sent_message_due').selectAll().orderBy('message_id').limit(limit).execute()

export const clearDueMessages = (trx: Db, ids: readonly string[]) =>
  trx.deleteFrom('sent_message_due').where('message_id', 'in', ids).execute()

/** Queues messages to be counted again. An opt-out that is queued stays queued. */
export const addDueMessages = bulkQuery<{ messageId: string }, { orgId: string; optedOut: number }, never>(
  (_db, rows, { orgId, optedOut }) => {
    const values = sql.join(rows.map(({ messageId }) => sql`(${messageId}, ${orgId}, ${wholeNumber(optedOut)})`))
    return sql<never>`insert into sent_message_due (message_id, org_id, opted_out) values ${values}
      on conflict (message_id) do update set opted_out = case when sent_message_due.opted_out = 1
        then 1 else excluded.opted_out end`
  },
)

export const findSent = lookupQuery<object, SentMessageTable>((db, ids) =>
  db.selectFrom('sent_message').selectAll().where('message_id', 'in', ids),
)

/** Templates that were sent in these conversations since a time. */
export const findSentTemplates = lookupQuery<{ since: string }, SentMessageTable>((db, conversationIds, { since }) =>
  db
    .selectFrom('sent_message')
    .selectAll()
    .where('conversation_id', 'in', conversationIds)
    .where('at', '>=', since)
    .where(sql<boolean>`template <> ''`),
)

export const saveSent = bulkQuery<SentMessageTable, object, never>(
  (db, rows) =>
    db
      .insertInto('sent_message')
      .values(
        rows.map(row => ({
          org_id: row.org_id,
          day: row.day,
          connection_id: row.connection_id,
          country: row.country,
          category: row.category,
          charge: row.charge,
          source: row.source,
          template: row.template,
          message_id: row.message_id,
          conversation_id: row.conversation_id,
          at: row.at,
          state: row.state,
          replied: row.replied,
          opted_out: row.opted_out,
        })),
      )
      .onConflict(conflict =>
        conflict.column('message_id').doUpdateSet(eb => ({
          country: eb.ref('excluded.country'),
          category: eb.ref('excluded.category'),
          charge: eb.ref('excluded.charge'),
          state: eb.ref('excluded.state'),
          replied: eb.ref('excluded.replied'),
          opted_out: eb.ref('excluded.opted_out'),
        })),
      ) as never,
)

export const deleteSent = (trx: Db, ids: readonly string[]) =>
  trx.deleteFrom('sent_message').where('message_id', 'in', ids).execute()

/** The indexes begin with the organization: a query by time alone would scan the table. */
const organizations = (db: Db) => db.selectFrom('organization').select('id')

/** Deletes this many messages that were sent before a time. */
export async function deleteSentBefore(trx: Db, before: string, limit: number): Promise<number> {
  const old = trx
    .selectFrom('sent_message')
    .select('message_id')
    .where('org_id', 'in', organizations(trx))
    .where('at', '<', before)
    .limit(limit)
  const { numDeletedRows } = await trx.deleteFrom('sent_message').where('message_id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes the sums of this many days of organizations that are before a day. */
export async function deleteDaysBefore(trx: Db, before: string, limit: number): Promise<number> {
  const old = trx
    .selectFrom('sent_day')
    .select(['org_id', 'day'])
    .distinct()
    .where('org_id', 'in', organizations(trx))
    .where('day', '<', before)
    .limit(limit)
  const { numDeletedRows } = await trx
    .deleteFrom('sent_day')
    .where(({ eb, refTuple }) => eb(refTuple('org_id', 'day'), 'in', old.$asTuple('org_id', 'day')))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Adds to the sums of days; a difference may be negative. */
export const addToDays = bulkQuery<SentKey & SentCounts, object, never>((_db, rows) => {
  const values = sql.join(
    rows.map(
      row => sql`(${row.org_id}, ${row.day}, ${row.connection_id}, ${row.country}, ${row.category}, ${row.charge},
        ${row.source}, ${row.template}, ${wholeNumber(row.sent)}, ${wholeNumber(row.delivered)},
        ${wholeNumber(row.read)}, ${wholeNumber(row.failed)}, ${wholeNumber(row.replied)},
        ${wholeNumber(row.opted_out)})`,
    ),
  )
  return sql<never>`insert into sent_day (org_id, day, connection_id, country, category, charge, source, template,
      sent, delivered, read, failed, replied, opted_out) values ${values}
    on conflict (org_id, day, connection_id, country, category, charge, source, template) do update set
      sent = sent_day.sent + excluded.sent, delivered = sent_day.delivered + excluded.delivered,
      read = sent_day.read + excluded.read, failed = sent_day.failed + excluded.failed,
      replied = sent_day.replied + excluded.replied, opted_out = sent_day.opted_out + excluded.opted_out`
})

export interface ReplyMonth {
  readonly connectionId: string
  readonly month: string
  readonly orgId: string
  readonly count: number
  /** The percentage of the free replies that people were notified of; 0: they were not. */
  readonly notified: number
}

export async function readReplies(
  trx: Db,
  connectionId: string,
  month: string,
): Promise<Pick<ReplyMonth, 'count' | 'notified'>> {
  const row = await trx
    .selectFrom('reply_month')
    .select(['count', 'notified'])
    .where('connection_id', '=', connectionId)
    .where('month', '=', month)
    .executeTakeFirst()
  return row ?? { count: 0, notified: 0 }
}

export const saveReplies = (trx: Db, { connectionId, month, orgId, count }: ReplyMonth) =>
  trx
    .insertInto('reply_month')
    .values({ connection_id: connectionId, month, org_id: orgId, count, notified: 0 })
    .onConflict(conflict => conflict.columns(['connection_id', 'month']).doUpdateSet({ count }))
    .execute()

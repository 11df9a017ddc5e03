import { sql } from 'kysely'
import { belongsTo, bulkWrite, lookupQuery, wholeNumber } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** The delivery state of an outgoing message, with its conversation and contact. */
export interface DeliveryRow {
  seq: number
  id: string
  conversation_id: string
  wamid: string | null
  type: string
  at: string
  status: string
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  failed_at: string | null
  error_code: string | null
  error_detail: string | null
  unconfirmed: number
  pricing: string | null
  last_message_seq: number | null
  contact_id: string
  wa_id: string | null
  bsuid: string | null
  author_kind: string | null
  /** Our number that sent it; null if the organization has only one. */
  own_phone: string | null
}

const selectDelivery = (db: Db) =>
  db
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .innerJoin('contact', 'contact.id', 'conversation.contact_id')
    .leftJoin('wa_connection', 'wa_connection.id', 'conversation.connection_id')
    .select([
      'message.seq',
      'message.id',
      'message.conversation_id',
      'message.wamid',
      'message.type',
      'message.at',
      'message.status',
      'message.sent_at',
      'message.delivered_at',
      'message.read_at',
      'message.failed_at',
      'message.error_code',
      'message.error_detail',
      'message.unconfirmed',
      'message.pricing',
      'message.author_kind',
      'conversation.last_message_seq',
      'conversation.contact_id',
      'contact.wa_id',
      'contact.bsuid',
      'wa_connection.shown_phone as own_phone',
    ])
    .where('message.direction', '=', 'out')

export const findDeliveries = {
  byId: lookupQuery<{ orgId: string }, DeliveryRow>((db, ids, { orgId }) =>
    selectDelivery(db).where(belongsTo('message.org_id', orgId)).where('message.id', 'in', ids),
  ),
  byWamid: lookupQuery<{ orgId: string }, DeliveryRow>((db, wamids, { orgId }) =>
    selectDelivery(db).where('message.org_id', '=', orgId).where('message.wamid', 'in', wamids),
  ),
}

/** Both SQLite and PostgreSQL name the columns of VALUES column1, column2, …. PostgreSQL needs casts for integers. */
export const saveDeliveries = bulkWrite<DeliveryRow, { orgId: string }, never>((_db, rows, { orgId }) => {
  const values = sql.join(
    rows.map(
      row => sql`(${wholeNumber(row.seq)}, ${row.wamid}, ${row.status}, ${row.sent_at}, ${row.delivered_at},
    ${row.read_at}, ${row.failed_at}, ${row.error_code}, ${row.error_detail}, ${wholeNumber(row.unconfirmed)},
    ${row.pricing})`,
    ),
  )
  return sql<never>`update message set wamid = v.column2, status = v.column3, sent_at = v.column4, delivered_at = v.column5,
    read_at = v.column6, failed_at = v.column7, error_code = v.column8, error_detail = v.column9, unconfirmed = v.column10,
    pricing = v.column11
    from (values ${values}) as v where message.seq = v.column1 and ${belongsTo('message.org_id', orgId)}`
}, 'update')

/** Updates the status in the list of conversations where the message is the last one. */
export const saveLastStatus = bulkWrite<DeliveryRow, { orgId: string }, never>((_db, rows, { orgId }) => {
  const values = sql.join(rows.map(row => sql`(${row.conversation_id}, ${wholeNumber(row.seq)}, ${row.status})`))
  return sql<never>`update conversation set last_message_status = v.column3 from (values ${values}) as v
    where conversation.id = v.column1 and conversation.last_message_seq = v.column2 and ${belongsTo('conversation.org_id', orgId)}`
}, 'update')

/** Deletes a copy of a message. If it was the last message of its conversation, the original becomes that. */
export async function replaceCopy(
  db: OrgDb,
  orgId: string,
  { copy, original }: { copy: DeliveryRow; original: DeliveryRow },
): Promise<void> {
  await db.deleteFrom('message').where('id', '=', copy.id).where('org_id', '=', orgId).execute()
  if (copy.last_message_seq !== copy.seq) return
  await db
    .updateTable('conversation')
    .set({
      last_message_seq: original.seq,
      last_message_at: original.at,
      last_message_status: original.status,
      last_activity_at: original.at,
    })
    .where('id', '=', copy.conversation_id)
    .where(belongsTo('conversation.org_id', orgId))
    .execute()
}

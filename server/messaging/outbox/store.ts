import { lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'

/** A message to send, with what its request needs. */
export interface SendRow {
  messageId: string
  conversationId: string
  connectionId: string
  /** Null: messages of this type cannot be sent. */
  content: OutboundMessage | null
  /** True if it is queued and WhatsApp has not confirmed it. */
  isWaiting: boolean
  replyToWamid: string | null
  /** Phone number in digits, or business-scoped id. Null when the contact has neither. */
  to: string | null
  /** The customer has never written, so the spelling of the number is a guess. */
  isUnconfirmedContact: boolean
  /** Error code of the message's last attempt. */
  lastErrorCode: string | null
}

const findSendRows = lookupQuery((db, messageIds) =>
  db
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .innerJoin('contact', 'contact.id', 'conversation.contact_id')
    .select([
      'message.id',
      'message.conversation_id',
      'message.text',
      'message.type',
      'message.outbound',
      'message.status',
      'message.wamid',
      'message.reply_to_wamid',
      'contact.wa_id',
      'contact.bsuid',
      'conversation.last_inbound_wamid',
      'conversation.connection_id',
    ])
    .select(eb =>
      eb
        .selectFrom('message_attempt')
        .select('error_code')
        .whereRef('message_id', '=', 'message.id')
        .orderBy('seq', 'desc')
        .limit(1)
        .as('last_error_code'),
    )
    .where('message.id', 'in', messageIds),
)

/** Messages of several organizations by id. Missing ones are absent. */
export async function findSends(db: Db, messageIds: readonly string[]): Promise<Map<string, SendRow>> {
  const rows = await findSendRows(db, messageIds, {})
  return new Map(
    rows.map(row => [
      row.id,
      {
        messageId: row.id,
        conversationId: row.conversation_id,
        connectionId: row.connection_id,
        content: contentOf(row),
        isWaiting: isWaiting(row),
        replyToWamid: row.reply_to_wamid,
        to: row.wa_id ?? row.bsuid,
        isUnconfirmedContact: row.last_inbound_wamid === null,
        lastErrorCode: row.last_error_code,
      },
    ]),
  )
}

const contentOf = (row: { type: string; text: string; outbound: string | null }): OutboundMessage | null =>
  row.outbound !== null ? JSON.parse(row.outbound) : row.type === 'text' ? { type: 'text', text: row.text } : null

const isWaiting = (row: { status: string; wamid: string | null }) => row.status === 'queued' && row.wamid === null

/** False: a status has settled it, or it was deleted. */
export async function isStillWaiting(db: Db, messageId: string): Promise<boolean> {
  const row = await db.selectFrom('message').select(['status', 'wamid']).where('id', '=', messageId).executeTakeFirst()
  return row !== undefined && isWaiting(row)
}

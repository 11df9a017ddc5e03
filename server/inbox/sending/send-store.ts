import { sql } from 'kysely'
import type { OutboundMessage } from '#shared/outbound.ts'
import { belongsTo, bulkWrite } from '../../bulk.ts'
import type { Db } from '../../db.ts'
import type { OrgDb } from '../../events/writes.ts'
import { seenThrough } from '../../visibility/condition.ts'
import type { Viewer } from '../../visibility/scope.ts'
import { type MessageRow, type QuoteRow, selectMessages } from '../messages/message-store.ts'

/** The message a person already sent under this key, in whatever chat. */
export const findByClientKey = (
  db: Db,
  { orgId, scope }: Viewer,
  authorId: string,
  clientKey: string,
): Promise<MessageRow | undefined> =>
  selectMessages(db)
    .where('message.org_id', '=', orgId)
    .where('message.author_id', '=', authorId)
    .where('message.client_key', '=', clientKey)
    .where(seenThrough(scope, 'message.conversation_id'))
    .executeTakeFirst()

/** A message of the organization by our id. */
export const findMessage = (db: Db, { orgId, scope }: Viewer, id: string): Promise<MessageRow | undefined> =>
  selectMessages(db)
    .where('message.org_id', '=', orgId)
    .where('message.id', '=', id)
    .where(seenThrough(scope, 'message.conversation_id'))
    .executeTakeFirst()

/** A message of this chat, by our id or by its wamid; undefined: there is none to quote. */
export async function findQuotable(
  db: Db,
  { orgId, scope }: Viewer,
  conversationId: string,
  ref: string,
): Promise<QuoteRow | undefined> {
  const select = db
    .selectFrom('message')
    .select(['id', 'wamid', 'conversation_id', 'type', 'text', 'direction', 'revoked_at'])
    .where('org_id', '=', orgId)
    .where(seenThrough(scope, 'message.conversation_id'))
  const row =
    (await select.where('id', '=', ref).executeTakeFirst()) ??
    (await select.where('wamid', '=', ref).executeTakeFirst())
  if (!row || row.conversation_id !== conversationId || row.revoked_at !== null) return undefined
  const { wamid } = row
  return wamid === null ? undefined : { ...row, wamid }
}

const setOutbound = bulkWrite<{ id: string; outbound: string }, { orgId: string }, never>((_db, rows, { orgId }) => {
  const values = sql.join(rows.map(row => sql`(${row.id}, ${row.outbound})`))
  return sql<never>`update message set outbound = v.column2 from (values ${values}) as v
    where message.id = v.column1 and ${belongsTo('message.org_id', orgId)}`
}, 'update')

/** Keeps what is sent of these messages beside what is shown of them. */
export async function saveOutbound(
  db: OrgDb,
  orgId: string,
  contents: readonly { readonly id: string; readonly content: OutboundMessage }[],
): Promise<void> {
  const rows = contents.map(({ id, content }) => ({ id, outbound: JSON.stringify(content) }))
  await setOutbound(db, rows, { orgId })
}

/** True: what it sends is kept, so that it can be sent again. */
export async function hasOutbound(db: Db, orgId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('message')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('outbound', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** What we last said to a message with an emoji; empty: taken back. */
export const findOwnReaction = (
  db: Db,
  orgId: string,
  messageId: string,
): Promise<{ emoji: string; at: string } | undefined> =>
  db
    .selectFrom('reaction')
    .select(['emoji', 'at'])
    .where('org_id', '=', orgId)
    .where('message_id', '=', messageId)
    .where('by', '=', 'us')
    .executeTakeFirst()

import { scopedQuery, seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { type MessageRow, type QuoteRow, selectMessages } from '#server/messaging/messages/message-store.ts'
import type { Db } from '#server/platform/db/database.ts'

const byClientKey = scopedQuery<{ orgId: string; authorId: string; clientKey: string }, MessageRow>((db, p, scope) =>
  selectMessages(db)
    .where('message.org_id', '=', p.orgId)
    .where('message.author_id', '=', p.authorId)
    .where('message.client_key', '=', p.clientKey)
    .where(seenThrough(scope, 'message.conversation_id')),
)

/** The message that this person already sent with this key, in any chat. */
export const findByClientKey = async (
  db: Db,
  viewer: Viewer,
  authorId: string,
  clientKey: string,
): Promise<MessageRow | undefined> => (await byClientKey(db, viewer, { authorId, clientKey }))[0]

export const findMessage = (db: Db, { orgId, scope }: Viewer, id: string): Promise<MessageRow | undefined> =>
  selectMessages(db)
    .where('message.org_id', '=', orgId)
    .where('message.id', '=', id)
    .where(seenThrough(scope, 'message.conversation_id'))
    .executeTakeFirst()

/** A message that we sent or received, by its wamid or our id. */
export async function findByWamid(
  db: Db,
  { orgId, scope }: Viewer,
  { wamid, id }: { wamid: string; id: string | undefined },
): Promise<Pick<MessageRow, 'id' | 'conversation_id' | 'direction'> | undefined> {
  const select = db
    .selectFrom('message')
    .select(['id', 'conversation_id', 'direction'])
    .where('org_id', '=', orgId)
    .where(seenThrough(scope, 'message.conversation_id'))
  return (id === undefined ? select.where('wamid', '=', wamid) : select.where('id', '=', id)).executeTakeFirst()
}

/** A message of this conversation to quote, by our id or by wamid. */
export async function findQuotable(
  db: Db,
  { orgId, scope }: Viewer,
  conversationId: string,
  ref: string,
): Promise<QuoteRow | undefined> {
  const select = db
    .selectFrom('message')
    .select(['id', 'wamid', 'conversation_id', 'type', 'text', 'direction', 'revoked_at'])
    .select(['author_kind', 'author_name'])
    .where('org_id', '=', orgId)
    .where(seenThrough(scope, 'message.conversation_id'))
  const row =
    (await select.where('id', '=', ref).executeTakeFirst()) ??
    (await select.where('wamid', '=', ref).executeTakeFirst())
  if (!row || row.conversation_id !== conversationId || row.revoked_at !== null) return undefined
  const { wamid } = row
  return wamid === null ? undefined : { ...row, wamid }
}

/** True if the content of the message is stored, so that it can be sent again. */
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

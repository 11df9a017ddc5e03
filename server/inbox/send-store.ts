import type { Control } from '#shared/events/inbox.ts'
import type { Db } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'
import { seenThrough } from '../visibility/condition.ts'
import type { Viewer } from '../visibility/scope.ts'
import { type MessageRow, selectMessages } from './message-store.ts'

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

/** The wamid of a message of this chat, by our id or by the wamid itself; undefined: there is none to quote. */
export async function findQuotable(
  db: Db,
  { orgId, scope }: Viewer,
  conversationId: string,
  ref: string,
): Promise<string | undefined> {
  const select = db
    .selectFrom('message')
    .select(['wamid', 'conversation_id', 'revoked_at'])
    .where('org_id', '=', orgId)
    .where(seenThrough(scope, 'message.conversation_id'))
  const row =
    (await select.where('id', '=', ref).executeTakeFirst()) ??
    (await select.where('wamid', '=', ref).executeTakeFirst())
  if (!row || row.conversation_id !== conversationId || row.revoked_at !== null) return undefined
  return row.wamid ?? undefined
}

/** Changes a conversation's own flags. */
export async function updateConversation(
  db: OrgDb,
  orgId: string,
  id: string,
  change: { archived?: number; unread?: number; control?: Control },
): Promise<void> {
  await db.updateTable('conversation').set(change).where('org_id', '=', orgId).where('id', '=', id).execute()
}

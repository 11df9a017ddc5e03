import type { Viewer } from '#server/identity/visibility/scope.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { identifierOfAddress } from '#server/messaging/identifier.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ListRow } from './rows/list-row-store.ts'
import { findConversation, findConversationId } from './rows/store.ts'

/** @throws INBOX_CHAT_NOT_FOUND when it is no address of a chat. */
export const requireIdentifier = (address: string) => {
  const identifier = identifierOfAddress(address)
  if (!identifier) throw inboxErrors.CHAT_NOT_FOUND()
  return identifier
}

/** @throws INBOX_CHAT_NOT_FOUND, also for a chat this viewer does not see. */
export const requireChat = async (db: Db, viewer: Viewer, address: string): Promise<ListRow> => {
  const row = await findConversation(db, viewer, requireIdentifier(address))
  if (!row) throw inboxErrors.CHAT_NOT_FOUND()
  return row
}

export const seesChat = async (db: Db, viewer: Viewer, address: string): Promise<boolean> => {
  const identifier = identifierOfAddress(address)
  return identifier !== undefined && (await findConversationId(db, viewer, identifier)) !== undefined
}

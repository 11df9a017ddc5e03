import type { Db } from '#server/platform/db/database.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { findRows } from '../rows/list-row-store.ts'
import { presentConversation } from './present.ts'

/** All conversations of these contacts by id, without tags. For work that takes an organization as a whole. */
export const listOfContacts = async (db: Db, orgId: string, contactIds: readonly string[]): Promise<Conversation[]> =>
  (await findRows.byContact(db, contactIds, { orgId }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(row => presentConversation(row))

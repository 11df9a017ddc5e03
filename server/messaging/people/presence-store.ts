import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { StoredPresence } from '#server/platform/http/presence.ts'

const columns = ['person_id as id', 'name', 'looks_until as looksUntil', 'writes_until as writesUntil'] as const

/** Lists the members who have a chat open at this time, latest first. */
export const listPresent = (
  db: Db,
  orgId: string,
  { conversationId, at, limit }: { conversationId: string; at: string; limit: number },
): Promise<StoredPresence[]> =>
  db
    .selectFrom('chat_presence')
    .select(columns)
    .where('conversation_id', '=', conversationId)
    .where('org_id', '=', orgId)
    .where('looks_until', '>', at)
    .orderBy('looks_until', 'desc')
    .limit(limit)
    .execute()

export async function saveStay(
  db: OrgDb,
  orgId: string,
  conversationId: string,
  { id, name, looksUntil, writesUntil }: StoredPresence,
): Promise<void> {
  const values = { name, looks_until: looksUntil, writes_until: writesUntil }
  await db
    .insertInto('chat_presence')
    .values({ conversation_id: conversationId, person_id: id, org_id: orgId, ...values })
    .onConflict(conflict => conflict.columns(['conversation_id', 'person_id']).doUpdateSet(values))
    .execute()
}

export async function deleteStay(db: OrgDb, orgId: string, conversationId: string, id: string): Promise<void> {
  await db
    .deleteFrom('chat_presence')
    .where('conversation_id', '=', conversationId)
    .where('org_id', '=', orgId)
    .where('person_id', '=', id)
    .execute()
}

/** Deletes presence that ended before this time, of at most `limit` conversations. Returns the number of rows. */
export async function deleteEndedPresence(db: Db, at: string, limit: number): Promise<number> {
  const ended = db.selectFrom('chat_presence').select('conversation_id').where('looks_until', '<', at).limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('chat_presence')
    .where('conversation_id', 'in', ended)
    .where('looks_until', '<', at)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export const findStay = (
  db: Db,
  orgId: string,
  conversationId: string,
  id: string,
): Promise<StoredPresence | undefined> =>
  db
    .selectFrom('chat_presence')
    .select(columns)
    .where('conversation_id', '=', conversationId)
    .where('person_id', '=', id)
    .where('org_id', '=', orgId)
    .executeTakeFirst()

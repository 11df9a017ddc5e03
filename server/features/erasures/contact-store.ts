import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** Removes everything that identifies the contact. A person who writes from these numbers later becomes a new contact. */
export async function detachContact(db: OrgDb, orgId: string, contactId: string): Promise<void> {
  for (const table of ['contact_identity', 'contact_words', 'contact_value', 'contact_tag'] as const)
    await db
      .deleteFrom(table)
      .where(belongsTo(`${table}.org_id`, orgId))
      .where('contact_id', '=', contactId)
      .execute()
  await db
    .updateTable('contact')
    .set({ name: null, profile_name: null, username: null, wa_id: null, bsuid: null, search: '', note: null })
    .where(belongsTo('contact.org_id', orgId))
    .where('id', '=', contactId)
    .execute()
}

/** Queued messages of these conversations. */
export async function listQueued(
  db: Db,
  orgId: string,
  { conversationIds, limit }: { conversationIds: readonly string[]; limit: number },
): Promise<string[]> {
  if (!conversationIds.length) return []
  const rows = await db
    .selectFrom('message')
    .select('id')
    .where('conversation_id', 'in', conversationIds)
    .where('status', '=', 'queued')
    .where(belongsTo('message.org_id', orgId))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Up to `limit` of their messages, with files. */
export async function listMessages(
  db: Db,
  orgId: string,
  { conversationIds, limit }: { conversationIds: readonly string[]; limit: number },
): Promise<{ id: string; path: string | null }[]> {
  if (!conversationIds.length) return []
  return db
    .selectFrom('message')
    .leftJoin('media', 'media.message_id', 'message.id')
    .select(['message.id', 'media.path'])
    .where('message.conversation_id', 'in', conversationIds)
    .where(belongsTo('message.org_id', orgId))
    .limit(limit)
    .execute()
}

/** Deletes messages, and by cascade their reactions, attempts and file rows. Triggers update the search index. */
export async function deleteMessages(db: OrgDb, orgId: string, ids: readonly string[]): Promise<number> {
  if (!ids.length) return 0
  const result = await db
    .deleteFrom('message')
    .where('id', 'in', ids)
    .where(belongsTo('message.org_id', orgId))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes up to `limit` flow sessions with their steps. Returns how many. */
export async function deleteSessions(
  db: OrgDb,
  orgId: string,
  { contactId, limit }: { contactId: string; limit: number },
): Promise<number> {
  const some = db
    .selectFrom('flow_session')
    .select('id')
    .where('org_id', '=', orgId)
    .where('contact_id', '=', contactId)
    .limit(limit)
  const result = await db.deleteFrom('flow_session').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes up to `limit` records that would undo a merge. Returns how many. */
export async function deleteMergeMessages(
  db: OrgDb,
  orgId: string,
  { contactId, limit }: { contactId: string; limit: number },
): Promise<number> {
  const merges = db
    .selectFrom('contact_merge')
    .select('id')
    .where('contact_id', '=', contactId)
    .where(belongsTo('contact_merge.org_id', orgId))
  const some = db
    .selectFrom('contact_merge_message')
    .select(['merge_id', 'message_id'])
    .where('merge_id', 'in', merges)
    .limit(limit)
  const result = await db
    .deleteFrom('contact_merge_message')
    .where(({ eb, refTuple }) => eb(refTuple('merge_id', 'message_id'), 'in', some.$asTuple('merge_id', 'message_id')))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes the contact and its conversations, which have no messages by then. */
export async function deleteContact(db: OrgDb, orgId: string, contactId: string): Promise<void> {
  await db.deleteFrom('contact').where(belongsTo('contact.org_id', orgId)).where('id', '=', contactId).execute()
}

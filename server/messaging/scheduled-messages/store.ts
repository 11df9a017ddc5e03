import type { Selectable } from 'kysely'
import type { ScheduledMessageTable } from '#server/messaging/table.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

export type ScheduledRow = Selectable<ScheduledMessageTable>

/** Scheduled messages of a conversation, earliest first. */
export const listScheduled = (
  db: Db,
  orgId: string,
  { conversationId, limit }: { conversationId: string; limit: number },
): Promise<ScheduledRow[]> =>
  db
    .selectFrom('scheduled_message')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function hasAsMany(
  db: Db,
  orgId: string,
  { authorId, count }: { authorId: string; count: number },
): Promise<boolean> {
  const rows = await db
    .selectFrom('scheduled_message')
    .select('id')
    .where('org_id', '=', orgId)
    .where('author_id', '=', authorId)
    .limit(count)
    .execute()
  return rows.length >= count
}

export const findScheduled = (db: Db, orgId: string, id: string): Promise<ScheduledRow | undefined> =>
  db.selectFrom('scheduled_message').selectAll().where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()

export const insertScheduled = (db: OrgDb, orgId: string, row: Omit<ScheduledRow, 'org_id'>): Promise<unknown> =>
  db
    .insertInto('scheduled_message')
    .values({ ...row, org_id: orgId })
    .execute()

type Change = Partial<Pick<ScheduledRow, 'text' | 'due_at' | 'ends_on_reply' | 'held_code'>>

export const saveScheduled = (db: OrgDb, orgId: string, id: string, change: Change): Promise<unknown> =>
  db.updateTable('scheduled_message').set(change).where('org_id', '=', orgId).where('id', '=', id).execute()

/** Deletes and returns a message. Undefined: another caller deleted it and sends it. */
export const takeScheduled = (db: OrgDb, orgId: string, id: string): Promise<ScheduledRow | undefined> =>
  db.deleteFrom('scheduled_message').where('org_id', '=', orgId).where('id', '=', id).returningAll().executeTakeFirst()

/** Deletes and returns the scheduled messages of these conversations that a reply of the customer cancels. */
export async function takeAnswered(
  db: OrgDb,
  orgId: string,
  conversationIds: readonly string[],
): Promise<Pick<ScheduledRow, 'conversation_id' | 'author_kind' | 'author_id'>[]> {
  if (!conversationIds.length) return []
  return db
    .deleteFrom('scheduled_message')
    .where('conversation_id', 'in', conversationIds)
    .where('ends_on_reply', '=', 1)
    .where('org_id', '=', orgId)
    .returning(['conversation_id', 'author_kind', 'author_id'])
    .execute()
}

/** Deletes all scheduled messages of these conversations. */
export async function deleteScheduled(db: OrgDb, orgId: string, conversationIds: readonly string[]): Promise<void> {
  if (!conversationIds.length) return
  await db
    .deleteFrom('scheduled_message')
    .where('conversation_id', 'in', conversationIds)
    .where('org_id', '=', orgId)
    .execute()
}

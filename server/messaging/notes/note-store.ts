import { sql } from 'kysely'
import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { type MessageCore, selectCore } from '#server/messaging/messages/message-store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** Must equal the index's expression. A parameter would keep it from being used. */
const isNote = sql<boolean>`message.type = 'note'`

/** Notes of a conversation that are not deleted, newest first. One more than `limit` if there are more. */
export const listNotes = (
  db: Db,
  { orgId, scope }: Viewer,
  { conversationId, limit, offset }: { conversationId: string; limit: number; offset: number },
): Promise<MessageCore[]> =>
  selectCore(db)
    .where('message.conversation_id', '=', conversationId)
    .where(isNote)
    .where('message.org_id', '=', orgId)
    .where('message.revoked_at', 'is', null)
    .where(seenThrough(scope, 'message.conversation_id'))
    .orderBy('message.at', 'desc')
    .orderBy('message.seq', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute()

/** A note of a conversation that is not deleted, with its author. */
export const findNote = (
  db: Db,
  { orgId, scope }: Viewer,
  { conversationId, id }: { conversationId: string; id: string },
): Promise<(MessageCore & { author_id: string | null }) | undefined> =>
  selectCore(db)
    .select('message.author_id')
    .where('message.id', '=', id)
    .where('message.org_id', '=', orgId)
    .where('message.conversation_id', '=', conversationId)
    .where(isNote)
    .where('message.revoked_at', 'is', null)
    .where(seenThrough(scope, 'message.conversation_id'))
    .executeTakeFirst()

/** Changes a note's text, or deletes it. */
export async function saveNote(
  db: OrgDb,
  orgId: string,
  {
    id,
    text,
    content,
    edited_at,
    revoked_at,
  }: Pick<MessageCore, 'id' | 'text' | 'content' | 'edited_at' | 'revoked_at'>,
): Promise<void> {
  await db
    .updateTable('message')
    .set({ text, content, edited_at, revoked_at })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** Lists at most `limit` members with name and stored role, by name. */
export const listColleagues = (
  db: Db,
  orgId: string,
  limit: number,
): Promise<{ id: string; name: string; role: string }[]> =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['user.id', 'user.name', 'member.role'])
    .where('member.organizationId', '=', orgId)
    .orderBy('user.name')
    .orderBy('user.id')
    .limit(limit)
    .execute()

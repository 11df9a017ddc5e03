import { seen } from '#server/identity/visibility/condition.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { NewNotification, Owner, Reader } from './store.ts'

const peoplePerQuery = 500

const inParts = async <T>(userIds: readonly string[], ask: (part: readonly string[]) => Promise<T[]>): Promise<T[]> => {
  const found: T[] = []
  for (let from = 0; from < userIds.length; from += peoplePerQuery)
    found.push(...(await ask(userIds.slice(from, from + peoplePerQuery))))
  return found
}

interface Unread {
  readonly id: string
  readonly userId: string
  readonly count: number
}

/** The unread notification of each of these people about a conversation, at most one each. */
export const unreadAbout = (
  db: Db,
  orgId: string,
  conversationId: string,
  userIds: readonly string[],
): Promise<Unread[]> =>
  inParts(userIds, part =>
    db
      .selectFrom('notification')
      .select(['id', 'user_id as userId', 'count'])
      .where('org_id', '=', orgId)
      .where('conversation_id', '=', conversationId)
      .where('viewed_at', 'is', null)
      .where('user_id', 'in', part)
      .execute(),
  )

/** Updates an unread notification with new words and moves it to the front. Its id stays. */
export async function renew(
  db: OrgDb,
  orgId: string,
  news: Omit<NewNotification, 'userId' | 'conversationId'>,
  place: string,
): Promise<void> {
  await db
    .updateTable('notification')
    .set({
      words: JSON.stringify(news.words),
      redirect: news.redirect,
      count: news.count,
      created_at: news.createdAt,
      place,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', news.id)
    .execute()
}

/** Returns those of these people who muted the conversation. */
export async function listMuters(
  db: Db,
  orgId: string,
  conversationId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const rows = await inParts(userIds, part =>
    db
      .selectFrom('conversation_mute')
      .select('user_id')
      .where('org_id', '=', orgId)
      .where('conversation_id', '=', conversationId)
      .where('user_id', 'in', part)
      .execute(),
  )
  return new Set(rows.map(row => row.user_id))
}

/** Ids of the conversations a person muted here, newest first. */
export async function listMuted(db: Db, { orgId, userId }: Owner, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('conversation_mute')
    .select('conversation_id')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => row.conversation_id)
}

/**
 * Mutes or unmutes a conversation for a person. Repeating it changes nothing. False: the conversation does not exist
 * for this person.
 */
export async function saveMute(
  db: OrgDb,
  { orgId, userId, scope }: Reader,
  { conversationId, muted, at }: { conversationId: string; muted: boolean; at: string },
): Promise<boolean> {
  const known = await db
    .selectFrom('conversation')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', conversationId)
    .where(seen(scope))
    .executeTakeFirst()
  if (!known) return false
  if (muted)
    await db
      .insertInto('conversation_mute')
      .values({ org_id: orgId, user_id: userId, conversation_id: conversationId, created_at: at })
      .onConflict(conflict => conflict.columns(['org_id', 'user_id', 'conversation_id']).doNothing())
      .execute()
  else
    await db
      .deleteFrom('conversation_mute')
      .where('org_id', '=', orgId)
      .where('user_id', '=', userId)
      .where('conversation_id', '=', conversationId)
      .execute()
  return true
}

import { sql } from 'kysely'
import { textMaxChars } from '#shared/limits.ts'
import type { Db } from '../db.ts'
import { seenThrough } from '../visibility/condition.ts'
import type { Viewer } from '../visibility/scope.ts'
import { isPrefix } from './words.ts'

/** How far the messages have been read into the index: a `seq` of theirs, 0 at first. */
export async function readPlace(db: Db): Promise<number> {
  return (await db.selectFrom('search_place').select('seq').where('name', '=', 'message').executeTakeFirstOrThrow()).seq
}

/** The next messages to be read in, oldest first, with how long their texts are. */
export const listUnread = (db: Db, place: number, limit: number): Promise<{ seq: number; chars: number }[]> =>
  db
    .selectFrom('message')
    .select(['seq', sql<number>`length(text)`.as('chars')])
    .where('seq', '>', place)
    .orderBy('seq')
    .limit(limit)
    .execute()

/** Reads the messages after `place`, up to and including `upTo`, into the index, and sets the place. */
export async function readIn(trx: Db, place: number, upTo: number): Promise<void> {
  await sql`insert into message_index (rowid, org, body)
    select seq, org_id, body from (
      select message.seq, message.org_id,
        substr(message.text, 1, ${textMaxChars}) || coalesce(' ' || (select name from media where message_id = message.id limit 1), '') as body
      from message
      where message.seq > cast(${place} as integer) and message.seq <= cast(${upTo} as integer) and message.revoked_at is null
    ) where body <> ''`.execute(trx)
  await trx.updateTable('search_place').set({ seq: upTo }).where('name', '=', 'message').execute()
}

/** Merges so many pages of what was read in lately; answers whether there may be more to merge. */
export async function mergeSegments(trx: Db, pages: number): Promise<boolean> {
  const changes = async () => (await sql<{ n: number }>`select total_changes() as n`.execute(trx)).rows[0]?.n ?? 0
  const before = await changes()
  await sql`insert into message_index (message_index, rank) values ('merge', cast(${pages} as integer))`.execute(trx)
  // What the engine says of a merge that found nothing to do: one change, the command itself.
  return (await changes()) - before > 1
}

const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`

/** The engine's own words for "this organization's, with all of these". */
const matching = (orgId: string, words: readonly string[]) =>
  [`org : ${phrase(orgId)}`, ...words.map(word => `body : ${phrase(word)}${isPrefix(word) ? ' *' : ''}`)].join(' AND ')

/**
 * Conversations in which these words were said, looked for in the newest `most` messages that have all of them; in no order.
 * What has not been read in yet is not among them.
 */
export async function findSaid(
  db: Db,
  { orgId, scope }: Viewer,
  words: readonly string[],
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct message.conversation_id as id
    from (select rowid as seq from message_index where message_index match ${matching(orgId, words)}
      order by rowid desc limit cast(${most} as integer)) as hit
    cross join message on message.seq = hit.seq
    where message.org_id = ${orgId} and ${seenThrough(scope, 'message.conversation_id')}`.execute(db)
  return rows.map(row => row.id)
}

/** Messages after `place` and before `before`, newest first, as much of each as WhatsApp lets anybody type. */
export const listTexts = (
  db: Db,
  { orgId, scope }: Viewer,
  range: { place: number; before: number | undefined; limit: number },
): Promise<{ seq: number; id: string; text: string }[]> => {
  const query = db
    .selectFrom('message')
    .select(['seq', 'conversation_id as id', sql<string>`substr(text, 1, ${textMaxChars})`.as('text')])
    .where('org_id', '=', orgId)
    .where('seq', '>', range.place)
    .where('revoked_at', 'is', null)
    .where(seenThrough(scope, 'message.conversation_id'))
    .orderBy('seq', 'desc')
    .limit(range.limit)
  return (range.before === undefined ? query : query.where('seq', '<', range.before)).execute()
}

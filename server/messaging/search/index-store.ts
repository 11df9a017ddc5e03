import { sql } from 'kysely'
import { scopedQuery, seenThrough } from '#server/identity/visibility/condition.ts'
import type { Scope, Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import { numberRows, wordIndexOf } from '#server/platform/db/word-index.ts'
import { textMaxChars } from '#shared/kernel/limits.ts'
import { stretchOf } from './stretch.ts'
import { isPrefix } from './words.ts'

const selectIndexedSeq = hotQuery<{ name: 'message' | 'emoji' }, { seq: number }>((db, p) =>
  db.selectFrom('search_place').select('seq').where('name', '=', p.name),
)

/** The `seq` of the last message that was indexed. 0: none. */
export async function readIndexedSeq(db: Db): Promise<number> {
  const [row] = await selectIndexedSeq(db, { name: 'message' })
  if (!row) throw new Error('search_place has no row; run the migrations')
  return row.seq
}

export interface UnreadMessage {
  seq: number
  org_id: string
  /** Text up to WhatsApp's maximum, and the file's name. */
  text: string
  revoked_at: string | null
}

/** Text up to WhatsApp's maximum, and the file's name. */
export const searchable = sql<string>`substr(message.text, 1, ${textMaxChars}) || coalesce(' ' || media.name, '')`

const selectUnread = (db: Db) =>
  db
    .selectFrom('message')
    .leftJoin('media', 'media.message_id', 'message.id')
    .select(['message.seq', 'message.org_id', 'message.revoked_at', searchable.as('text')])

/** The next messages to index, oldest first. */
export const listUnread = (db: Db, indexedSeq: number, limit: number): Promise<UnreadMessage[]> =>
  selectUnread(db).where('message.seq', '>', indexedSeq).orderBy('message.seq').limit(limit).execute()

/** Messages up to this one still need their emojis indexed. Undefined: none does. */
export async function readIndexedEmojiSeq(db: Db): Promise<number | undefined> {
  return (await selectIndexedSeq(db, { name: 'emoji' }))[0]?.seq
}

/** `seq` undefined: all messages are done. */
export async function saveIndexedEmojiSeq(trx: Db, seq: number | undefined): Promise<void> {
  if (seq === undefined) await trx.deleteFrom('search_place').where('name', '=', 'emoji').execute()
  else await trx.updateTable('search_place').set({ seq }).where('name', '=', 'emoji').execute()
}

/** Messages up to `indexedSeq`, newest first. */
export const listBackFrom = (db: Db, indexedSeq: number, limit: number): Promise<UnreadMessage[]> =>
  selectUnread(db).where('message.seq', '<=', indexedSeq).orderBy('message.seq', 'desc').limit(limit).execute()

/** Messages that changed after they were indexed. */
export const listPending = (db: Db, limit: number): Promise<UnreadMessage[]> =>
  selectUnread(db)
    .where('message.seq', 'in', eb =>
      eb.selectFrom('search_pending').select('search_pending.seq').orderBy('search_pending.seq').limit(limit),
    )
    .execute()

/** Removes what `listPending` returned, and messages that no longer exist. */
export async function clearPending(trx: Db, limit: number): Promise<void> {
  await trx
    .deleteFrom('search_pending')
    .where('seq', 'in', eb => eb.selectFrom('search_pending').select('seq').orderBy('seq').limit(limit))
    .execute()
}

/** The index keys of these organizations. Missing ones are created. */
export async function orgKeys(trx: Db, orgIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const find = () => trx.selectFrom('search_org').selectAll().where('org_id', 'in', orgIds).execute()
  let rows = orgIds.length ? await find() : []
  const known = new Set(rows.map(row => row.org_id))
  const missing = orgIds.filter(id => !known.has(id))
  if (missing.length) {
    await trx
      .insertInto('search_org')
      .values(missing.map(org_id => ({ org_id })))
      .execute()
    rows = await find()
  }
  return new Map(rows.map(row => [row.org_id, row.org_key]))
}

/** Neither letter nor digit, and the tokenizer keeps it inside a term. */
const joint = '·'
const termOf = (orgKey: number, stretch: number, word: string) => `${orgKey}${joint}${stretch}${joint}${word}`

interface IndexedMessage {
  seq: number
  orgKey: number
  words: readonly string[]
}

/** Adds messages that are not in the index. */
export async function addToIndex(trx: Db, messages: readonly IndexedMessage[]): Promise<void> {
  const rows = messages
    .filter(({ words }) => words.length)
    .map(({ seq, orgKey, words }) => ({ seq, terms: words.map(word => termOf(orgKey, stretchOf(seq), word)) }))
  if (rows.length) await wordIndexOf(trx).add(trx, rows)
}

/** Removes messages from the index, before they are added with new words. */
export const removeFromIndex = (trx: Db, seqs: readonly number[]): Promise<void> => wordIndexOf(trx).remove(trx, seqs)

export async function saveIndexedSeq(trx: Db, seq: number): Promise<void> {
  await trx.updateTable('search_place').set({ seq }).where('name', '=', 'message').execute()
}

/** Merges this many pages of recent additions. Returns whether more may be left. */
export const mergeSegments = (trx: Db, pages: number): Promise<boolean> => wordIndexOf(trx).merge(trx, pages)

/** The newest `most` messages before `end` in these blocks that contain all words. */
export const findSeqs = (
  db: Db,
  orgKey: number,
  stretches: readonly number[],
  words: readonly string[],
  { most, end }: { most: number; end: number },
): Promise<number[]> =>
  wordIndexOf(db).find(
    db,
    stretches.map(stretch => words.map(word => ({ text: termOf(orgKey, stretch, word), isPrefix: isPrefix(word) }))),
    { end, most },
  )

const selectOrgKey = hotQuery<{ orgId: string }, { org_key: number }>((db, p) =>
  db.selectFrom('search_org').select('org_key').where('org_id', '=', p.orgId),
)

/** The organization's key in terms. Undefined: nothing of it was indexed. */
export async function findOrgKey(db: Db, orgId: string): Promise<number | undefined> {
  return (await selectOrgKey(db, { orgId }))[0]?.org_key
}

/** The conversations of these messages that the viewer sees, in no order. */
export async function conversationsOf(db: Db, { orgId, scope }: Viewer, seqs: readonly number[]): Promise<string[]> {
  if (!seqs.length) return []
  const { rows } = await sql<{ id: string }>`select distinct message.conversation_id as id
    from ${numberRows(db, seqs)} as hit cross join message
    where message.seq = hit.value and ${belongsTo('message.org_id', orgId)} and ${seenThrough(scope, 'message.conversation_id')}`.execute(
    db,
  )
  return rows.map(row => row.id)
}

interface NewText {
  readonly seq: number
  /** The id of the conversation. */
  readonly id: string
  /** Up to WhatsApp's maximum. */
  readonly text: string
}

const selectTexts = (db: Db, scope: Scope) =>
  db
    .selectFrom('message')
    .leftJoin('media', 'media.message_id', 'message.id')
    .select(['message.seq', 'message.conversation_id as id', searchable.as('text')])
    .where('message.revoked_at', 'is', null)
    .where(seenThrough(scope, 'message.conversation_id'))

/** Messages that are not indexed yet, newest first, before `before`. */
export const listNewTexts = scopedQuery<{ orgId: string; indexedSeq: number; before: number; limit: number }, NewText>(
  (db, p, scope) =>
    selectTexts(db, scope)
      .where('message.org_id', '=', p.orgId)
      .where('message.seq', '>', p.indexedSeq)
      .where('message.seq', '<', p.before)
      .orderBy('message.seq', 'desc')
      .limit(p.limit),
)

/** Messages that changed after they were indexed. */
export const listChangedTexts = scopedQuery<{ orgId: string; limit: number }, NewText>((db, p, scope) =>
  selectTexts(db, scope)
    .where('message.seq', 'in', eb => eb.selectFrom('search_pending').select('search_pending.seq').limit(p.limit))
    .where(belongsTo('message.org_id', p.orgId)),
)

import { containsText } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { HistoryKind } from '#shared/history/api.ts'

export interface StoredEntry {
  readonly id: string
  readonly kind: HistoryKind
  readonly authorId: string
  readonly authorName: string
  readonly isSend: boolean
  readonly title: string
  readonly summary: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly createdAt: string
}

const columns = [
  'id',
  'kind',
  'author_id',
  'author_name',
  'is_send',
  'title',
  'summary',
  'payload',
  'created_at',
] as const

const selectEntries = (db: Db, orgId: string) =>
  db.selectFrom('history_entry').select(columns).where('org_id', '=', orgId).where('hidden_at', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number]

const entryOf = (row: Row): StoredEntry => ({
  id: row.id,
  kind: row.kind,
  authorId: row.author_id,
  authorName: row.author_name,
  isSend: row.is_send === 1,
  title: row.title,
  summary: row.summary,
  payload: JSON.parse(row.payload),
  createdAt: row.created_at,
})

interface EntryQuery {
  readonly kinds: readonly HistoryKind[]
  /** The author of kinds that belong to one person. */
  readonly authorId: string
  /** Folded. Empty: all. */
  readonly words: string
  readonly offset: number
  readonly limit: number
}

/** Ids of a kind, newest first: all sends, and of other kinds the author's. Exported for tests. */
export function selectIds(db: Db, orgId: string, kind: HistoryKind, { authorId, words, offset, limit }: EntryQuery) {
  let query = db
    .selectFrom('history_entry')
    .select('id')
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where('hidden_at', 'is', null)
  if (kind !== 'masive') query = query.where('author_id', '=', authorId)
  if (words) query = query.where(containsText('search_text', words))
  return query.orderBy('id', 'desc').limit(offset + limit)
}

/** Reads each kind by its index and merges here, so that no more than a page of each is read. */
export async function listEntries(db: Db, orgId: string, query: EntryQuery): Promise<StoredEntry[]> {
  const { kinds, offset, limit } = query
  const ids: string[] = []
  for (const kind of kinds) for (const { id } of await selectIds(db, orgId, kind, query).execute()) ids.push(id)
  const wanted = ids.sort((a, b) => (a < b ? 1 : -1)).slice(offset, offset + limit)
  if (!wanted.length) return []
  const rows = await selectEntries(db, orgId).where('id', 'in', wanted).orderBy('id', 'desc').execute()
  return rows.map(entryOf)
}

export async function findEntry(db: Db, orgId: string, id: string): Promise<StoredEntry | undefined> {
  const row = await selectEntries(db, orgId).where('id', '=', id).executeTakeFirst()
  return row && entryOf(row)
}

/** Finds the entry that an author wrote with this key since a time. Hidden ones are included. */
export async function findByKey(
  db: Db,
  orgId: string,
  { authorId, key, since }: { authorId: string; key: string; since: string },
): Promise<StoredEntry | undefined> {
  const row = await db
    .selectFrom('history_entry')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('author_id', '=', authorId)
    .where('client_key', '=', key)
    .where('created_at', '>', since)
    .orderBy('id')
    .executeTakeFirst()
  return row && entryOf(row)
}

interface NewEntry extends StoredEntry {
  readonly searchText: string
  readonly clientKey: string | null
}

export async function insertEntry(db: OrgDb, orgId: string, { clientKey, ...entry }: NewEntry): Promise<void> {
  await db
    .insertInto('history_entry')
    .values({
      id: entry.id,
      org_id: orgId,
      kind: entry.kind,
      author_id: entry.authorId,
      author_name: entry.authorName,
      is_send: entry.isSend ? 1 : 0,
      title: entry.title,
      summary: entry.summary,
      search_text: entry.searchText,
      payload: JSON.stringify(entry.payload),
      client_key: clientKey,
      created_at: entry.createdAt,
      hidden_at: null,
    })
    .execute()
}

export async function hideEntry(db: OrgDb, orgId: string, { id, at }: { id: string; at: string }): Promise<void> {
  await db
    .updateTable('history_entry')
    .set({ hidden_at: at })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** Deletes an author's entries of a kind beyond the newest. */
export async function deleteBeyond(
  db: OrgDb,
  orgId: string,
  { kind, authorId, most }: { kind: HistoryKind; authorId: string; most: number },
): Promise<void> {
  const old = await db
    .selectFrom('history_entry')
    .select('id')
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where('author_id', '=', authorId)
    .where('hidden_at', 'is', null)
    .orderBy('id', 'desc')
    .offset(most)
    .limit(most)
    .execute()
  if (!old.length) return
  const ids = old.map(({ id }) => id)
  await db.deleteFrom('history_entry').where('org_id', '=', orgId).where('id', 'in', ids).execute()
}

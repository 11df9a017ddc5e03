import type { Selectable } from 'kysely'
import type { BeforeImport } from '#server/messaging/imported/imported.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { ImportFound, ImportTaken } from '#shared/imports/found.ts'
import type { ImportMapping } from '#shared/imports/mapping.ts'
import type { ImportSource } from '#shared/imports/states.ts'
import { forgetContactOfChats } from './chat-store.ts'
import type { Cursor } from './chatwoot/api/cursor.ts'
import type { Refused, RefusedCount } from './refused.ts'
import type { ChatImportPieceTable, ChatImportTable } from './table.ts'

/** The mapping as entered, with the customer's number in digits and the id of our number. */
export type StoredMapping = Omit<ImportMapping, 'numbers'> & {
  readonly connectionId?: string
  readonly numbers?: readonly { readonly from: string; readonly to: string | null; readonly connectionId?: string }[]
}

/** Another program's address from which an import is fetched, and how far that is. */
export interface Remote {
  /** The address without a slash at its end. */
  readonly address: string
  readonly account: string
  /** The next request. Null: everything was received. */
  readonly cursor: Cursor | null
  /** Consecutive runs that fetched nothing. */
  readonly troubles: number
}

export interface StoredImport
  extends Omit<
    Selectable<ChatImportTable>,
    'source' | 'remote' | 'mapping' | 'found' | 'taken' | 'refused' | 'refused_lines' | 'before'
  > {
  readonly source: ImportSource
  readonly remote: Remote | null
  readonly mapping: StoredMapping
  readonly found: ImportFound | null
  readonly taken: ImportTaken
  readonly refused: Refused
  readonly before: BeforeImport | null
}

/** An import without the lines that are not imported, which lists do not read. */
export type ListedImport = Omit<StoredImport, 'refused'> & { readonly refused: RefusedCount }

interface Piece {
  readonly start: number
  readonly fileId: string
  readonly path: string
  readonly size: number
}

const listedOf = (row: Omit<Selectable<ChatImportTable>, 'refused_lines'>): ListedImport => ({
  ...row,
  source: row.source as ImportSource,
  size: row.size === null ? null : Number(row.size),
  received: Number(row.received),
  remote: row.remote === null ? null : (JSON.parse(row.remote) as Remote),
  mapping: JSON.parse(row.mapping) as StoredMapping,
  found: row.found === null ? null : (JSON.parse(row.found) as ImportFound),
  taken: JSON.parse(row.taken) as ImportTaken,
  refused: JSON.parse(row.refused) as RefusedCount,
  before: row.before === null ? null : (JSON.parse(row.before) as BeforeImport),
})

const importOf = ({ refused_lines: lines, ...row }: Selectable<ChatImportTable>): StoredImport => {
  const one = listedOf(row)
  const { first = [], ...counts } = one.refused as Partial<Refused> & RefusedCount
  return { ...one, refused: { ...counts, first: lines === null ? first : (JSON.parse(lines) as Refused['first']) } }
}

const select = (db: Db, orgId: string) => db.selectFrom('chat_import').selectAll().where('org_id', '=', orgId)

export async function findImport(db: Db, orgId: string, id: string): Promise<StoredImport | undefined> {
  const row = await select(db, orgId).where('id', '=', id).executeTakeFirst()
  return row && importOf(row)
}

/** Undefined: there is no such import. */
export const findState = async (db: Db, orgId: string, id: string): Promise<StoredImport['state'] | undefined> => {
  const row = await db
    .selectFrom('chat_import')
    .select('state')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.state
}

const listedColumns = [
  ...(['id', 'org_id', 'source', 'file_name', 'author_id', 'author_name', 'state', 'failure', 'size'] as const),
  ...(['remote', 'token', 'received', 'mapping', 'found', 'taken', 'refused', 'place', 'conversation_id'] as const),
  ...(['contact_id', 'before', 'created_at', 'announced_at', 'ended_at'] as const),
] as const

/** Newest first. */
export async function listImports(db: Db, orgId: string, limit: number): Promise<ListedImport[]> {
  const rows = await db
    .selectFrom('chat_import')
    .select(listedColumns)
    .where('org_id', '=', orgId)
    .where('state', '<>', 'discarding')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(listedOf)
}

export async function countUnfinished(db: Db, orgId: string): Promise<number> {
  const row = await db
    .selectFrom('chat_import')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('state', 'not in', ['done', 'failed', 'undone', 'discarding'])
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

type NewImport = Pick<
  StoredImport,
  'id' | 'source' | 'file_name' | 'author_id' | 'author_name' | 'state' | 'remote' | 'token' | 'mapping' | 'created_at'
>

export const insertImport = (db: OrgDb, orgId: string, { mapping, remote, ...row }: NewImport): Promise<unknown> =>
  db
    .insertInto('chat_import')
    .values({
      ...row,
      org_id: orgId,
      remote: remote && JSON.stringify(remote),
      mapping: JSON.stringify(mapping),
      taken: JSON.stringify({ messages: 0, files: 0, contacts: 0, existing: 0 } satisfies ImportTaken),
      refused: JSON.stringify({ count: 0 } satisfies RefusedCount),
      announced_at: row.created_at,
    })
    .execute()

type Changes = Partial<Omit<StoredImport, 'id' | 'org_id' | 'created_at'>>

export const updateImport = (db: OrgDb, orgId: string, id: string, changes: Changes): Promise<unknown> => {
  const { remote, mapping, found, taken, refused, before, ...plain } = changes
  const { first: refused_lines, ...counts } = refused ?? {}
  const parts = { remote, mapping, found, taken, refused: refused && counts, refused_lines, before }
  const json = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value === null ? null : JSON.stringify(value)]],
  )
  return db
    .updateTable('chat_import')
    .set({ ...plain, ...Object.fromEntries(json) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

const pieceOf = ({ start, file_id: fileId, path, size }: ChatImportPieceTable): Piece => ({
  start: Number(start),
  fileId,
  path,
  size,
})

/** The pieces in the order of the file. */
export const listPieces = async (db: Db, orgId: string, importId: string): Promise<Piece[]> => {
  const rows = await db
    .selectFrom('chat_import_piece')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('import_id', '=', importId)
    .orderBy('start')
    .execute()
  return rows.map(pieceOf)
}

export const insertPiece = (
  db: OrgDb,
  orgId: string,
  importId: string,
  { fileId, ...piece }: Piece,
): Promise<unknown> =>
  db
    .insertInto('chat_import_piece')
    .values({ ...piece, file_id: fileId, import_id: importId, org_id: orgId })
    .execute()

export const deletePieces = (db: OrgDb, orgId: string, importId: string): Promise<unknown> =>
  db.deleteFrom('chat_import_piece').where('org_id', '=', orgId).where('import_id', '=', importId).execute()

export const deleteImport = (db: OrgDb, orgId: string, id: string): Promise<unknown> =>
  db.deleteFrom('chat_import').where('org_id', '=', orgId).where('id', '=', id).execute()

/** Imports of all organizations that were made before a time and are in one of these states. */
export const listBefore = (
  db: Db,
  { before, states, limit }: { before: string; states: readonly ChatImportTable['state'][]; limit: number },
): Promise<{ id: string; org_id: string }[]> =>
  db
    .selectFrom('chat_import')
    .select(['id', 'org_id'])
    .where('created_at', '<', before)
    .where('state', 'in', states)
    .orderBy('created_at')
    .limit(limit)
    .execute()

/** Paused ones that were made before a time and are not fetched yet. */
export const listLeftTokens = (
  db: Db,
  { before, limit }: { before: string; limit: number },
): Promise<{ id: string; org_id: string }[]> =>
  db
    .selectFrom('chat_import')
    .select(['id', 'org_id'])
    .where('created_at', '<', before)
    .where('state', '=', 'paused')
    .where('token', 'is not', null)
    .orderBy('created_at')
    .limit(limit)
    .execute()

/** Imports that have ended, and whose file is still there. */
export const listLeftFiles = (db: Db, limit: number): Promise<{ id: string; org_id: string }[]> =>
  db
    .selectFrom('chat_import')
    .select(['id', 'org_id'])
    .where('state', 'in', ['done', 'undone'])
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('chat_import_piece').select('start').whereRef('import_id', '=', 'chat_import.id')),
    )
    .limit(limit)
    .execute()

/** Forgets what imports know of an erased contact, and ends those that are not finished. */
export async function forgetContact(db: OrgDb, orgId: string, contactId: string, at: string): Promise<void> {
  await forgetContactOfChats(db, orgId, contactId)
  const ofContact = () => db.updateTable('chat_import').where('org_id', '=', orgId).where('contact_id', '=', contactId)
  await ofContact()
    .set({ state: 'failed', failure: 'erased', ended_at: at })
    .where('state', 'in', ['running', 'paused', 'undoing'])
    .execute()
  await ofContact()
    .set({ file_name: null, mapping: '{}', found: null, refused: '{"count":0}', refused_lines: null, before: null })
    .execute()
}

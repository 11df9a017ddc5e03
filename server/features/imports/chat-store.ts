import { type Selectable, sql } from 'kysely'
import type { AddedToContact } from '#server/messaging/imported/archived-contacts.ts'
import type { BeforeImport } from '#server/messaging/imported/imported.ts'
import { belongsTo, bulkWrite, lookupQuery, wholeNumber } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { ChatImportChatTable, ChatImportMadeTable } from './table.ts'

type ChatRow = Selectable<ChatImportChatTable>
/** `before`: the conversation as it was; null: the chat became none yet. */
export type StoredChat = Omit<ChatRow, 'before'> & { readonly before: BeforeImport | null }

const readChat = (row: ChatRow): StoredChat => ({
  ...row,
  before: row.before === null ? null : (JSON.parse(row.before) as BeforeImport),
})

interface StoredMade {
  readonly source: string
  readonly target: string
  /** The facts that the import added to a contact. Null: the row is no contact. */
  readonly added: AddedToContact | null
}

const readMade = <Row extends { added: string | null }>(row: Row) => ({
  ...row,
  added: row.added === null ? null : (JSON.parse(row.added) as AddedToContact),
})

interface OfImport {
  readonly orgId: string
  readonly importId: string
}

/** Chats that a survey found. */
export const insertChats = bulkWrite<
  { source: string; name: string; found: number; foundSum: string },
  OfImport,
  never
>(
  (db, rows, { orgId, importId }) =>
    db
      .insertInto('chat_import_chat')
      .values(
        rows.map(row => ({
          import_id: importId,
          org_id: orgId,
          source: row.source,
          name: row.name,
          found: row.found,
          found_sum: row.foundSum,
        })),
      )
      .onConflict(conflict => conflict.doNothing()) as never,
)

export const deleteChats = (db: OrgDb, { orgId, importId }: OfImport, sources: readonly string[]): Promise<unknown> =>
  db
    .deleteFrom('chat_import_chat')
    .where('import_id', '=', importId)
    .where('org_id', '=', orgId)
    .where('source', 'in', sources)
    .execute()

const findChatRows = lookupQuery<OfImport, ChatRow>((db, sources, { orgId, importId }) =>
  db
    .selectFrom('chat_import_chat')
    .selectAll()
    .where('import_id', '=', importId)
    .where('source', 'in', sources)
    .where(belongsTo('chat_import_chat.org_id', orgId)),
)

/** The chats by their id in the source. */
export const findChats = async (db: Db, sources: readonly string[], of: OfImport): Promise<StoredChat[]> =>
  (await findChatRows(db, sources, of)).map(readChat)

/** After one of them, in the order of their ids in the source. */
export async function listChats(
  db: Db,
  { orgId, importId }: OfImport,
  { after, limit }: { after: string; limit: number },
): Promise<StoredChat[]> {
  const rows = await db
    .selectFrom('chat_import_chat')
    .selectAll()
    .where('import_id', '=', importId)
    .where('org_id', '=', orgId)
    .where('source', '>', after)
    .orderBy('source')
    .limit(limit)
    .execute()
  return rows.map(readChat)
}

const updateChats = bulkWrite<
  { source: string; conversationId: string; contactId: string; before: string },
  OfImport,
  never
>((_db, rows, { orgId, importId }) => {
  const values = sql.join(rows.map(row => sql`(${row.source}, ${row.conversationId}, ${row.contactId}, ${row.before})`))
  return sql<never>`update chat_import_chat set conversation_id = v.column2, contact_id = v.column3, before = v.column4
    from (values ${values}) as v where chat_import_chat.import_id = ${importId} and chat_import_chat.source = v.column1
    and ${belongsTo('chat_import_chat.org_id', orgId)}`
}, 'update')

/** Stores which conversation a chat became, and how it was before. */
export const saveChats = (
  db: OrgDb,
  chats: readonly { source: string; conversationId: string; contactId: string; before: BeforeImport }[],
  of: OfImport,
): Promise<unknown> =>
  updateChats(
    db,
    chats.map(({ source, conversationId, contactId, before }) => ({
      source,
      conversationId,
      contactId,
      before: JSON.stringify(before),
    })),
    of,
  )

/** Updates the counts of imported messages of chats. */
export const saveKept = bulkWrite<{ source: string; kept: number; keptSum: string; brought: number }, OfImport, never>(
  (_db, rows, { orgId, importId }) => {
    const values = sql.join(
      rows.map(row => sql`(${row.source}, ${wholeNumber(row.kept)}, ${row.keptSum}, ${wholeNumber(row.brought)})`),
    )
    return sql<never>`update chat_import_chat set kept = v.column2, kept_sum = v.column3, brought = v.column4
    from (values ${values}) as v where chat_import_chat.import_id = ${importId} and chat_import_chat.source = v.column1
    and ${belongsTo('chat_import_chat.org_id', orgId)}`
  },
  'update',
)

/** Updates the counts of chats, including what was found, for a source that is counted during the import. */
export const saveFound = bulkWrite<
  { source: string; found: number; foundSum: string; kept: number; keptSum: string; brought: number },
  OfImport,
  never
>((_db, rows, { orgId, importId }) => {
  const values = sql.join(
    rows.map(
      row => sql`(${row.source}, ${wholeNumber(row.found)}, ${row.foundSum}, ${wholeNumber(row.kept)}, ${row.keptSum},
        ${wholeNumber(row.brought)})`,
    ),
  )
  return sql<never>`update chat_import_chat set found = v.column2, found_sum = v.column3, kept = v.column4,
    kept_sum = v.column5, brought = v.column6
    from (values ${values}) as v where chat_import_chat.import_id = ${importId} and chat_import_chat.source = v.column1
    and ${belongsTo('chat_import_chat.org_id', orgId)}`
}, 'update')

const insertMadeRows = bulkWrite<
  { kind: ChatImportMadeTable['kind']; source: string; target: string; added: string | null },
  OfImport,
  never
>(
  (db, rows, { orgId, importId }) =>
    db
      .insertInto('chat_import_made')
      .values(
        rows.map(row => ({
          import_id: importId,
          org_id: orgId,
          kind: row.kind,
          source: row.source,
          target: row.target,
          added: row.added,
        })),
      )
      .onConflict(conflict => conflict.doNothing()) as never,
)

/** Stores which contacts, tags and fields the import made or changed. */
export const insertMade = (
  db: OrgDb,
  made: readonly (StoredMade & { readonly kind: ChatImportMadeTable['kind'] })[],
  of: OfImport,
): Promise<unknown> =>
  insertMadeRows(
    db,
    made.map(({ added, ...one }) => ({ ...one, added: added && JSON.stringify(added) })),
    of,
  )

/** The contacts that these contacts of the source became. */
export const findContactsOf = lookupQuery<OfImport, { source: string; target: string }>(
  (db, sources, { orgId, importId }) =>
    db
      .selectFrom('chat_import_made')
      .select(['source', 'target'])
      .where('import_id', '=', importId)
      .where('kind', '=', 'contact')
      .where('source', 'in', sources)
      .where(belongsTo('chat_import_made.org_id', orgId)),
)

const findMadeRows = lookupQuery<OfImport, { target: string; added: string | null }>(
  (db, targets, { orgId, importId }) =>
    db
      .selectFrom('chat_import_made')
      .select(['target', 'added'])
      .where('import_id', '=', importId)
      .where('kind', '=', 'contact')
      .where('target', 'in', targets)
      .where(belongsTo('chat_import_made.org_id', orgId)),
)

/** Returns the contacts that an import created or changed, and how. */
export const findMadeContacts = async (
  db: Db,
  targets: readonly string[],
  of: OfImport,
): Promise<Omit<StoredMade, 'source'>[]> => (await findMadeRows(db, targets, of)).map(readMade)

/** Lists a batch of rows that an import created, in no particular order. */
export async function listMade(
  db: Db,
  { orgId, importId }: OfImport,
  { kind, limit }: { kind: ChatImportMadeTable['kind']; limit: number },
): Promise<StoredMade[]> {
  const rows = await db
    .selectFrom('chat_import_made')
    .select(['source', 'target', 'added'])
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .where('org_id', '=', orgId)
    .limit(limit)
    .execute()
  return rows.map(readMade)
}

export const deleteMade = (
  db: OrgDb,
  { orgId, importId }: OfImport,
  kind: ChatImportMadeTable['kind'],
  sources: readonly string[],
): Promise<unknown> =>
  db
    .deleteFrom('chat_import_made')
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .where('source', 'in', sources)
    .where('org_id', '=', orgId)
    .execute()

/** Deletes what is known of chats of an import. Returns how many there were. */
export const deleteSomeChats = async (db: OrgDb, { orgId, importId }: OfImport, limit: number): Promise<number> => {
  const some = db
    .selectFrom('chat_import_chat')
    .select('source')
    .where('import_id', '=', importId)
    .where('org_id', '=', orgId)
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('chat_import_chat')
    .where('import_id', '=', importId)
    .where('org_id', '=', orgId)
    .where('source', 'in', some)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Forgets which contacts an import created or changed. Returns how many there were. */
export const deleteSomeContacts = async (db: OrgDb, { orgId, importId }: OfImport, limit: number): Promise<number> => {
  const ofImport = db
    .selectFrom('chat_import_made')
    .select('source')
    .where('import_id', '=', importId)
    .where('kind', '=', 'contact')
    .where('org_id', '=', orgId)
  const { numDeletedRows } = await db
    .deleteFrom('chat_import_made')
    .where('import_id', '=', importId)
    .where('kind', '=', 'contact')
    .where('org_id', '=', orgId)
    .where('source', 'in', ofImport.limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Forgets an erased contact. */
export async function forgetContactOfChats(db: OrgDb, orgId: string, contactId: string): Promise<void> {
  await db
    .updateTable('chat_import_chat')
    .set({ name: '', before: null, conversation_id: null, contact_id: null })
    .where('org_id', '=', orgId)
    .where('contact_id', '=', contactId)
    .execute()
  await db
    .deleteFrom('chat_import_made')
    .where('org_id', '=', orgId)
    .where('kind', '=', 'contact')
    .where('target', '=', contactId)
    .execute()
}

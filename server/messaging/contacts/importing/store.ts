import type { Selectable } from 'kysely'
import type { ContactImportTable } from '#server/messaging/table.ts'
import { belongsTo, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { ContactImport, ImportInput, RefusedRow } from '#shared/contacts/imports.ts'

/** An import with the last row that was read. */
export type StoredImport = ContactImport & { readonly place: number; readonly announcedAt: string }

const columns = [
  'id',
  'file',
  'author_name',
  'state',
  'row_count',
  'place',
  'done',
  'created',
  'updated',
  'unchanged',
  'refused',
  'faults',
  'created_at',
  'announced_at',
  'ended_at',
] as const

type Row = Pick<Selectable<ContactImportTable>, (typeof columns)[number]>

const importOf = (row: Row): StoredImport => ({
  id: row.id,
  file: row.file,
  author: row.author_name,
  state: row.state,
  createdAt: row.created_at,
  endedAt: row.ended_at,
  rows: row.row_count,
  done: row.done,
  created: row.created,
  updated: row.updated,
  unchanged: row.unchanged,
  refused: row.refused,
  faults: JSON.parse(row.faults) as RefusedRow[],
  place: row.place,
  announcedAt: row.announced_at,
})

const selectImports = (db: Db, orgId: string) =>
  db.selectFrom('contact_import').select(columns).where('org_id', '=', orgId)

/** Newest first. */
export const listImports = async (db: Db, orgId: string, limit: number): Promise<StoredImport[]> =>
  (await selectImports(db, orgId).orderBy('id', 'desc').limit(limit).execute()).map(importOf)

export async function findImport(db: Db, orgId: string, id: string): Promise<StoredImport | undefined> {
  const row = await selectImports(db, orgId).where('id', '=', id).executeTakeFirst()
  return row && importOf(row)
}

/** Null after the import has ended. */
export async function findRequest(db: Db, orgId: string, id: string): Promise<ImportInput | null> {
  const row = await db
    .selectFrom('contact_import')
    .select('request')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.request ? (JSON.parse(row.request) as ImportInput) : null
}

export const insertImport = (
  db: OrgDb,
  orgId: string,
  {
    id,
    file,
    author,
    createdAt,
    rows,
    request,
  }: Pick<ContactImport, 'id' | 'file' | 'author' | 'createdAt' | 'rows'> & {
    request: string
  },
): Promise<unknown> =>
  db
    .insertInto('contact_import')
    .values({
      id,
      org_id: orgId,
      file,
      author_name: author,
      state: 'running',
      request,
      row_count: rows,
      faults: '[]',
      created_at: createdAt,
      announced_at: createdAt,
    })
    .execute()

export const saveProgress = (db: OrgDb, orgId: string, one: StoredImport): Promise<unknown> =>
  db
    .updateTable('contact_import')
    .set({
      state: one.state,
      place: one.place,
      done: one.done,
      created: one.created,
      updated: one.updated,
      unchanged: one.unchanged,
      refused: one.refused,
      faults: JSON.stringify(one.faults),
      announced_at: one.announcedAt,
      ended_at: one.endedAt,
      ...(one.state === 'running' ? {} : { request: null }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', one.id)
    .execute()

/** Deletes imports before this one. */
export const deleteBefore = (db: OrgDb, orgId: string, id: string): Promise<unknown> =>
  db.deleteFrom('contact_import').where('org_id', '=', orgId).where('id', '<', id).execute()

export const findNotes = lookupQuery<{ orgId: string }, { id: string; note: string | null }>((db, ids, { orgId }) =>
  db.selectFrom('contact').select(['id', 'note']).where('id', 'in', ids).where(belongsTo('contact.org_id', orgId)),
)

/** Returns those contacts that have a conversation on numbers of this kind. */
export const findPlaces = lookupQuery<{ orgId: string; kind: 'cloud' | 'sandbox' }, { contact_id: string }>(
  (db, ids, { orgId, kind }) =>
    db
      .selectFrom('conversation')
      .select('contact_id')
      .where('contact_id', 'in', ids)
      .where(belongsTo('conversation.org_id', orgId))
      .where('kind', '=', kind),
)
